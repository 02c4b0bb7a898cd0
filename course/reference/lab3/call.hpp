#pragma once

#include "loop.hpp"
#include "parked.hpp"
#include "ring.hpp"

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <sys/socket.h>
#include <system_error>

namespace lab {

/// One system call, made by the ring: co_await returns its result, or throws std::system_error.
///
/// The operation lies in the awaiting coroutine's frame, and so, usually, does the memory that it reads or writes.
/// Requires: the frame is not destroyed before the call has ended (lab 5 lifts that).
class call : public operation {
public:
    call() = default;
    call(const call&) = delete;
    call& operator=(const call&) = delete;
    ~call() {
        if (is_under_way_) {
            std::fputs("lab: a frame was destroyed while the kernel has an operation in it\n", stderr);
            std::abort();
        }
    }

    /// To be filled by an io_uring_prep_...() function.
    [[nodiscard]] io_uring_sqe& request() noexcept { return request_; }

    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> waiting) noexcept {
        waiting_.frame = waiting;
        is_under_way_ = true;
        io_uring_sqe& entry = ring::current().entry_for(this);
        entry = request_;
        io_uring_sqe_set_data(&entry, static_cast<operation*>(this));
    }
    int await_resume() const {
        if (result_ < 0)
            throw std::system_error(-result_, std::system_category());
        return result_;
    }

    void completed(int result, unsigned) noexcept override {
        is_under_way_ = false;
        result_ = result;
        loop::current().post(waiting_);
    }

private:
    io_uring_sqe request_{};
    parked waiting_;
    int result_ = 0;
    bool is_under_way_ = false;
};

/// At least one byte of a pipe or file, at its own position; 0 at the end.
class read : public call {
public:
    read(int descriptor, std::span<std::byte> into) noexcept {
        io_uring_prep_read(&request(), descriptor, into.data(), static_cast<unsigned>(into.size()),
                           ~std::uint64_t{0});
    }
};

/// Returns how many bytes were written: perhaps fewer.
class write : public call {
public:
    write(int descriptor, std::span<const std::byte> from) noexcept {
        io_uring_prep_write(&request(), descriptor, from.data(), static_cast<unsigned>(from.size()),
                            ~std::uint64_t{0});
    }
};

/// The same for a socket whose peer may have gone: EPIPE is a result, not a signal.
class send : public call {
public:
    send(int descriptor, std::span<const std::byte> from) noexcept {
        io_uring_prep_send(&request(), descriptor, from.data(), from.size(), MSG_NOSIGNAL);
    }
};

}  // namespace lab
