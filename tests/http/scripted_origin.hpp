#pragma once

#include "http/scripted_peer.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/client/client_options.hpp>
#include <eddy/stream/duplex.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::http::test {

/// Servers in memory that say what a test wants: for each connection, in the order in which they are made, a
/// list of responses, one for each request. "close" ends the connection instead, "silence" says nothing; an
/// answer that begins with "close:" is the last one of its connection, one that begins with "early:" is given
/// before the request's body is read. Belongs to a worker.
class scripted_origin {
public:
    explicit scripted_origin(std::vector<std::vector<std::string>> answers, std::size_t capacity = 1 << 16)
        : answers_(std::move(answers)), capacity_(capacity) {}

    [[nodiscard]] client_transport transport() {
        return [this](client_target to) { return connect(*this, std::move(to)); };
    }
    [[nodiscard]] client_options options() { return client_options().transport(transport()); }

    /// The requests so far, heads and bodies, in order.
    [[nodiscard]] const std::vector<std::string>& requested() const noexcept { return requested_; }
    /// "host:port" of each connection.
    [[nodiscard]] const std::vector<std::string>& connected() const noexcept { return connected_; }
    /// How many connections the client has ended.
    [[nodiscard]] std::size_t ended() const noexcept { return ended_; }

private:
    static task<any_stream> connect(scripted_origin& self, client_target to) {
        self.connected_.push_back(to.is_local() ? to.local_path()
                                                : to.host() + ":" + std::to_string(to.port()));
        if (self.connected_.size() > self.answers_.size())
            throw std::system_error(std::make_error_code(std::errc::connection_refused));
        auto [here, there] = duplex(self.capacity_);
        self.serving_.push_back(
            spawn(serve(self, std::move(there), self.answers_[self.connected_.size() - 1])));
        co_return any_stream(std::move(here));
    }

    static task<> serve(scripted_origin& self, duplex_stream stream, std::vector<std::string> answers) {
        for (std::string_view response : answers) {
            std::string request = co_await read_until(stream, "\r\n\r\n");
            if (request.empty())
                break;
            const bool is_early = response.starts_with("early:");
            if (is_early) {
                response.remove_prefix(6);
                co_await stream.write_all(as_bytes(response));
            }
            request += co_await read_body(stream, request);
            self.requested_.push_back(std::move(request));
            if (is_early)
                continue;
            if (response == "silence")
                continue;
            const bool is_last = response.starts_with("close");
            if (is_last)
                response.remove_prefix(response.starts_with("close:") ? 6 : 5);
            co_await stream.write_all(as_bytes(response));
            if (is_last)
                co_return stream.close();
        }
        static_cast<void>(co_await read_until(stream, "never"));
        ++self.ended_;
    }

    static task<std::string> read_body(duplex_stream& stream, std::string_view head) {
        std::string body;
        if (head.contains("Transfer-Encoding: chunked"))
            co_return co_await read_until(stream, "0\r\n\r\n");
        const auto at = head.find("Content-Length: ");
        std::size_t size = 0;
        if (at != std::string_view::npos)
            std::from_chars(head.data() + at + 16, head.data() + head.size(), size);
        while (body.size() < size) {
            std::array<std::byte, 4096> room;
            const std::size_t count =
                co_await stream.read(std::span(room).first(std::min(room.size(), size - body.size())));
            if (count == 0)
                break;
            body.append(as_text(std::span(room).first(count)));
        }
        co_return body;
    }

    std::vector<std::vector<std::string>> answers_;
    std::size_t capacity_;
    std::vector<std::string> requested_;
    std::vector<std::string> connected_;
    std::size_t ended_ = 0;
    std::vector<handle<>> serving_;
};

/// A response with a body and its length.
inline std::string ok(std::string_view body, std::string_view fields = {}) {
    return std::string("HTTP/1.1 200 OK\r\n")
        .append(fields)
        .append("Content-Length: ")
        .append(std::to_string(body.size()))
        .append("\r\n\r\n")
        .append(body);
}

/// One without a body.
inline std::string empty(std::string_view status, std::string_view fields = {}) {
    return std::string("HTTP/1.1 ")
        .append(status)
        .append("\r\n")
        .append(fields)
        .append("Content-Length: 0\r\n\r\n");
}

/// The first line of a request.
inline std::string line_of(std::string_view request) {
    return std::string(request.substr(0, request.find("\r\n")));
}

/// The error that a task ends with.
template <class T>
task<std::error_code> error_of(task<T> work) {
    try {
        static_cast<void>(co_await std::move(work));
    } catch (const std::system_error& error) {
        co_return error.code();
    }
    co_return std::error_code();
}

}  // namespace eddy::http::test
