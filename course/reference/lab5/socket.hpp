#pragma once

#include "call.hpp"
#include "support/listen.hpp"
#include "task.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <span>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace lab {

/// A connection that is read into the caller's memory. One read and one write at a time, during which it does not move.
class socket {
public:
    /// Owns the descriptor.
    explicit socket(int descriptor) noexcept : descriptor_(descriptor) {}
    socket(socket&& other) noexcept
        : descriptor_(std::exchange(other.descriptor_, -1)), returned_(std::move(other.returned_)) {}
    socket& operator=(socket&&) = delete;
    ~socket() {
        if (descriptor_ >= 0)
            ring::current().close(descriptor_);
    }

    /// co_await returns how many bytes were read: 0 when the peer has sent all. Throws std::system_error. A read that is
    /// dropped reads nothing: what had arrived for it is returned by the next.
    class read_awaiter : public call {
    public:
        read_awaiter(socket& from, std::span<std::byte> into) noexcept : from_(from), into_(into) {
            io_uring_prep_recv(&request(), from.descriptor_, into.data(), into.size(), 0);
        }
        ~read_awaiter() {
            if (const int won = withdraw(); won > 0)
                from_.returned_.assign(into_.begin(), into_.begin() + won);
        }
        bool await_ready() const noexcept { return !from_.returned_.empty(); }
        std::size_t await_resume() {
            if (from_.returned_.empty())
                return static_cast<std::size_t>(call::await_resume());
            const std::size_t size = std::min(into_.size(), from_.returned_.size());
            std::copy_n(from_.returned_.begin(), size, into_.begin());
            from_.returned_.erase(from_.returned_.begin(),
                                  from_.returned_.begin() + static_cast<std::ptrdiff_t>(size));
            return size;
        }

    private:
        socket& from_;
        std::span<std::byte> into_;
    };
    [[nodiscard]] read_awaiter read(std::span<std::byte> into) noexcept { return {*this, into}; }

    /// co_await returns how many bytes were taken: perhaps fewer. Of a write that is dropped a prefix may have been sent.
    class write_awaiter : public call {
    public:
        write_awaiter(int descriptor, std::span<const std::byte> from) noexcept {
            io_uring_prep_send(&request(), descriptor, from.data(), from.size(), MSG_NOSIGNAL | MSG_WAITALL);
        }
    };
    [[nodiscard]] write_awaiter write(std::span<const std::byte> from) noexcept {
        return {descriptor_, from};
    }
    [[nodiscard]] task<> write_all(std::span<const std::byte> from) {
        while (!from.empty()) {
            const int sent = co_await write(from);
            from = from.subspan(static_cast<std::size_t>(sent));
        }
    }

    /// Tells the peer that nothing more will come.
    void end_writing() noexcept { ::shutdown(descriptor_, SHUT_WR); }

private:
    int descriptor_;
    std::vector<std::byte> returned_;
};

/// A socket that clients connect to.
class acceptor {
public:
    /// Listens on the loopback interface; port 0: on any free one. Throws std::system_error.
    explicit acceptor(std::uint16_t port = 0) : descriptor_(course::listen_on(port)) {}
    acceptor(const acceptor&) = delete;
    acceptor& operator=(const acceptor&) = delete;
    ~acceptor() { close(); }

    [[nodiscard]] std::uint16_t port() const noexcept { return course::port_of(descriptor_); }

    /// co_await returns the next connection. Throws std::system_error. The connection of an accept that is dropped is
    /// returned by the next.
    class accept_awaiter : public call {
    public:
        explicit accept_awaiter(acceptor& from) noexcept : from_(from) {
            io_uring_prep_accept(&request(), from.descriptor_, nullptr, nullptr, SOCK_CLOEXEC);
        }
        ~accept_awaiter() {
            if (const int won = withdraw(); won >= 0)
                from_.returned_.push_back(won);
        }
        bool await_ready() const noexcept { return !from_.returned_.empty(); }
        socket await_resume() {
            if (from_.returned_.empty())
                return socket(call::await_resume());
            const int oldest = from_.returned_.front();
            from_.returned_.pop_front();
            return socket(oldest);
        }

    private:
        acceptor& from_;
    };
    [[nodiscard]] accept_awaiter accept() noexcept { return accept_awaiter(*this); }

    /// New clients are refused from now on. Requires: no accept is under way.
    void close() noexcept {
        while (!returned_.empty()) {
            ring::current().close(returned_.front());
            returned_.pop_front();
        }
        if (descriptor_ >= 0)
            ring::current().close(std::exchange(descriptor_, -1));
    }

private:
    int descriptor_;
    std::deque<int> returned_;
};

}  // namespace lab
