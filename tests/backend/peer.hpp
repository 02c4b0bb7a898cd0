#pragma once

#include "support/uninterrupted.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdint>
#include <netinet/in.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/time.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace eddy::testing {

using test::uninterrupted;

/// The other end of a connection: a plain blocking socket that gives up after ten seconds.
class peer {
public:
    peer() = default;
    explicit peer(int descriptor) : descriptor_(descriptor) {
        const timeval limit{10, 0};
        ::setsockopt(descriptor_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
        ::setsockopt(descriptor_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
    }
    peer(peer&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    peer& operator=(peer&& other) noexcept {
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }
    ~peer() { close(); }

    /// A connection to a port on the loopback address.
    [[nodiscard]] static peer connected_to(std::uint16_t port) {
        peer made(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        const int result = uninterrupted([&] {
            return ::connect(made.descriptor_, reinterpret_cast<sockaddr*>(&address), sizeof(address));
        });
        EXPECT_TRUE(result == 0 || errno == EISCONN) << std::generic_category().message(errno);
        return made;
    }

    void send(std::string_view text) {
        while (!text.empty()) {
            const ssize_t sent =
                uninterrupted([&] { return ::send(descriptor_, text.data(), text.size(), MSG_NOSIGNAL); });
            ASSERT_GT(sent, 0) << std::generic_category().message(errno);
            text.remove_prefix(static_cast<std::size_t>(sent));
        }
    }
    /// Exactly `size` bytes, fewer at the end of the stream.
    [[nodiscard]] std::string receive(std::size_t size) {
        std::string text(size, '\0');
        std::size_t filled = 0;
        while (filled < size) {
            const ssize_t got =
                uninterrupted([&] { return ::recv(descriptor_, text.data() + filled, size - filled, 0); });
            if (got <= 0)
                break;
            filled += static_cast<std::size_t>(got);
        }
        text.resize(filled);
        return text;
    }
    /// What is there, at most `size` bytes.
    [[nodiscard]] std::string receive_present(std::size_t size) {
        std::string text(size, '\0');
        const ssize_t got = ::recv(descriptor_, text.data(), size, MSG_DONTWAIT);
        text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
        return text;
    }
    [[nodiscard]] bool is_at_end() {
        char byte = 0;
        return uninterrupted([&] { return ::recv(descriptor_, &byte, 1, 0); }) == 0;
    }
    /// Ends this peer's sending.
    void finish() { EXPECT_EQ(::shutdown(descriptor_, SHUT_WR), 0); }
    /// Closes with a reset instead of a farewell.
    void reset() {
        const linger abort{1, 0};
        ::setsockopt(descriptor_, SOL_SOCKET, SO_LINGER, &abort, sizeof(abort));
        close();
    }
    void close() {
        if (descriptor_ >= 0)
            ::close(std::exchange(descriptor_, -1));
    }
    [[nodiscard]] int descriptor() const { return descriptor_; }

private:
    int descriptor_ = -1;
};

/// A listener of plain sockets on a free port of the loopback address.
class plain_listener {
public:
    explicit plain_listener(int backlog = 128)
        : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof(address);
        EXPECT_EQ(::bind(descriptor_, reinterpret_cast<sockaddr*>(&address), size), 0);
        EXPECT_EQ(::listen(descriptor_, backlog), 0);
        EXPECT_EQ(::getsockname(descriptor_, reinterpret_cast<sockaddr*>(&address), &size), 0);
        port_ = ntohs(address.sin_port);
    }
    plain_listener(const plain_listener&) = delete;
    ~plain_listener() { close(); }

    [[nodiscard]] std::uint16_t port() const { return port_; }
    [[nodiscard]] peer accept() { return peer(::accept4(descriptor_, nullptr, nullptr, SOCK_CLOEXEC)); }
    void close() {
        if (descriptor_ >= 0)
            ::close(std::exchange(descriptor_, -1));
    }

private:
    int descriptor_;
    std::uint16_t port_ = 0;
};

}  // namespace eddy::testing
