#pragma once

#include "support/uninterrupted.hpp"

#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <netinet/in.h>
#include <optional>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/time.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace eddy::http::test {

/// A response as a client sees it.
struct response_seen {
    int status = 0;
    std::map<std::string, std::string, std::less<>> fields;  // names as sent
    std::string head;
    std::string body;

    [[nodiscard]] std::string field(std::string_view name) const {
        const auto found = fields.find(name);
        return found == fields.end() ? std::string() : found->second;
    }
};

using eddy::test::uninterrupted;

/// As uninterrupted(), for connect(2), which goes on by itself when it is interrupted. Gives its error, or 0.
inline int connect_uninterrupted(int descriptor, const sockaddr_in& to) {
    for (;;) {
        if (::connect(descriptor, reinterpret_cast<const sockaddr*>(&to), sizeof(to)) == 0 ||
            errno == EISCONN)
            return 0;
        if (errno != EINTR && errno != EALREADY)
            return errno;
    }
}

/// A client on a plain blocking socket, which knows nothing of the library. It waits for ten seconds at most.
class blocking_client {
public:
    /// `receive_buffer_bytes`: a small one makes a client that takes little before it reads.
    explicit blocking_client(std::uint16_t port, int receive_buffer_bytes = 0)
        : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        const timeval limit{10, 0};
        ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
        ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
        if (receive_buffer_bytes != 0)
            ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer_bytes, sizeof(receive_buffer_bytes));
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (const int error = connect_uninterrupted(socket_, address); error != 0)
            throw std::system_error(error, std::system_category(), "connect");
    }
    blocking_client(blocking_client&& other) noexcept
        : socket_(std::exchange(other.socket_, -1)), received_(std::move(other.received_)) {}
    blocking_client& operator=(blocking_client&&) = delete;
    ~blocking_client() { close(); }

    /// False if the server has gone.
    bool send(std::string_view bytes) {
        while (!bytes.empty()) {
            const auto sent =
                uninterrupted([&] { return ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL); });
            if (sent <= 0)
                return false;
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        }
        return true;
    }
    void send_byte_by_byte(std::string_view bytes) {
        for (const char& byte : bytes)
            ASSERT_TRUE(send({&byte, 1}));
    }

    /// A response with the body that its length announces; nothing if the connection ends before its end.
    std::optional<response_seen> read_response(bool has_body = true) {
        std::size_t end = 0;
        while ((end = received_.find("\r\n\r\n")) == std::string::npos)
            if (!receive())
                return std::nullopt;
        response_seen seen;
        seen.head = received_.substr(0, end + 2);
        received_.erase(0, end + 4);
        read_head(seen);
        if (has_body && seen.field("Transfer-Encoding") == "chunked")
            return read_chunks(seen) ? std::optional(std::move(seen)) : std::nullopt;
        std::size_t length = 0;
        const std::string text = seen.field("Content-Length");
        std::from_chars(text.data(), text.data() + text.size(), length);
        if (!has_body || seen.status == 304 || seen.status == 204)
            length = 0;
        while (received_.size() < length)
            if (!receive())
                return std::nullopt;
        seen.body = received_.substr(0, length);
        received_.erase(0, length);
        return seen;
    }
    std::optional<response_seen> ask(std::string_view request) {
        if (!send(request))
            return std::nullopt;
        return read_response(!request.starts_with("HEAD"));
    }

    /// The first chunk of a response.
    bool read_head_and_chunk(std::string& chunk) {
        std::size_t end = 0;
        while ((end = received_.find("\r\n\r\n")) == std::string::npos)
            if (!receive())
                return false;
        received_.erase(0, end + 4);
        return read_chunk(chunk);
    }
    /// The next chunk; the last one is empty.
    bool read_chunk(std::string& chunk) {
        std::size_t end = 0;
        while ((end = received_.find("\r\n")) == std::string::npos)
            if (!receive())
                return false;
        std::size_t size = 0;
        std::from_chars(received_.data(), received_.data() + end, size, 16);
        while (received_.size() < end + 2 + size + 2)
            if (!receive())
                return false;
        chunk = received_.substr(end + 2, size);
        received_.erase(0, end + 2 + size + 2);
        return true;
    }

    /// All that comes until the connection ends, however it does.
    std::string read_to_end() {
        while (receive()) {
        }
        return std::exchange(received_, {});
    }
    /// What has come, at least one byte; nothing at the end.
    std::string read_some() {
        if (received_.empty())
            receive();
        return std::exchange(received_, {});
    }
    /// Whether the server has ended the connection in good order, with nothing before the end.
    bool sees_end() { return !receive() && received_.empty() && error_ == 0; }
    /// The error that ended the last receive; 0 for the end of the stream, EAGAIN when nothing came in time.
    [[nodiscard]] int error() const noexcept { return error_; }

    void shut_down_sending() { ::shutdown(socket_, SHUT_WR); }
    /// Ends both halves, for a thread that is sending.
    void shut_down() { ::shutdown(socket_, SHUT_RDWR); }
    /// Closes with a reset.
    void reset() {
        const linger at_once{1, 0};
        ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
        close();
    }
    void close() {
        if (socket_ >= 0)
            ::close(std::exchange(socket_, -1));
    }

    /// Waits until something has come or the connection has ended; false for the latter.
    bool receive() {
        char bytes[16384];
        const auto count = uninterrupted([&] { return ::recv(socket_, bytes, sizeof(bytes), 0); });
        error_ = count < 0 ? errno : 0;
        if (count <= 0)
            return false;
        received_.append(bytes, static_cast<std::size_t>(count));
        return true;
    }

private:
    /// Takes the chunks of a body, without trailers.
    bool read_chunks(response_seen& seen) {
        for (std::string chunk;;) {
            if (!read_chunk(chunk))
                return false;
            if (chunk.empty())
                return true;
            seen.body += chunk;
        }
    }
    static void read_head(response_seen& seen) {
        std::string_view rest = seen.head;
        bool is_first = true;
        while (!rest.empty()) {
            const std::string_view line = rest.substr(0, rest.find("\r\n"));
            rest.remove_prefix(line.size() + 2);
            if (std::exchange(is_first, false)) {
                EXPECT_TRUE(line.starts_with("HTTP/1.1 ")) << line;
                std::from_chars(line.data() + 9, line.data() + 12, seen.status);
                continue;
            }
            const auto colon = line.find(": ");
            ASSERT_NE(colon, std::string_view::npos) << line;
            const bool is_new = seen.fields.emplace(line.substr(0, colon), line.substr(colon + 2)).second;
            EXPECT_TRUE(is_new) << "twice: " << line;
        }
    }

    int socket_;
    int error_ = 0;
    std::string received_;
};

/// A request for a path, without a body.
inline std::string get(std::string_view path, std::string_view more_fields = {}) {
    std::string text = "GET ";
    text.append(path).append(" HTTP/1.1\r\nHost: test\r\n").append(more_fields).append("\r\n");
    return text;
}

}  // namespace eddy::http::test
