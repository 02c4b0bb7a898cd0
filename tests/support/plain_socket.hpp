#pragma once

#include <arpa/inet.h>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace eddy::test {

/// A blocking TCP socket of the system's, for the peer that knows nothing of the library.
class plain_socket {
public:
    /// Connects to the port of the loopback address.
    static plain_socket connect(std::uint16_t port) {
        plain_socket made(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        const sockaddr_in to = loopback(port);
        if (made.descriptor_ < 0 ||
            ::connect(made.descriptor_, reinterpret_cast<const sockaddr*>(&to), sizeof(to)) != 0)
            throw std::runtime_error("connect");
        const int on = 1;
        ::setsockopt(made.descriptor_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
        return made;
    }

    plain_socket(plain_socket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    plain_socket& operator=(plain_socket&& other) noexcept {
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }
    ~plain_socket() { close(); }

    [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
    void close() noexcept {
        if (descriptor_ >= 0)
            ::close(std::exchange(descriptor_, -1));
    }
    /// Closes so that the peer sees a reset.
    void reset() noexcept {
        const linger at_once{1, 0};
        ::setsockopt(descriptor_, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
        close();
    }
    void shut_down_sending() noexcept { ::shutdown(descriptor_, SHUT_WR); }

    /// False if the peer has gone.
    bool send_all(const void* data, std::size_t size) noexcept {
        for (std::size_t sent = 0; sent < size;) {
            const auto count =
                ::send(descriptor_, static_cast<const char*>(data) + sent, size - sent, MSG_NOSIGNAL);
            if (count <= 0)
                return false;
            sent += static_cast<std::size_t>(count);
        }
        return true;
    }
    /// How many of the bytes the system takes without waiting.
    std::size_t send_what_fits(const void* data, std::size_t size) noexcept {
        const auto count = ::send(descriptor_, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
        return count > 0 ? static_cast<std::size_t>(count) : 0;
    }
    /// False if the stream ends before.
    bool receive_exactly(void* out, std::size_t size) noexcept {
        return size == 0 || ::recv(descriptor_, out, size, MSG_WAITALL) == static_cast<ssize_t>(size);
    }
    /// 0 at the end, negative for an error.
    std::ptrdiff_t receive(void* out, std::size_t size) noexcept { return ::recv(descriptor_, out, size, 0); }

private:
    explicit plain_socket(int descriptor) noexcept : descriptor_(descriptor) {}

    static sockaddr_in loopback(std::uint16_t port) noexcept {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        return address;
    }

    int descriptor_;
};

}  // namespace eddy::test
