#pragma once

#include "loop.hpp"
#include "parked.hpp"
#include "ring.hpp"

#include <cerrno>
#include <chrono>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <system_error>
#include <utility>

namespace lab {

namespace detail {

/// The owner of entries that do nothing.
class no_operation final : public operation {
public:
    void completed(int, unsigned) noexcept override {}
};

}  // namespace detail

/// One system call, made by the ring: co_await returns its result, or throws std::system_error.
///
/// Dropping it is cancelling: when the destructor returns, the kernel neither reads nor writes the call's memory.
class call : public operation {
public:
    call() = default;
    call(const call&) = delete;
    call& operator=(const call&) = delete;
    ~call() { withdraw(); }

    /// To be filled by an io_uring_prep_...() function.
    [[nodiscard]] io_uring_sqe& request() noexcept { return request_; }

    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> waiting) noexcept {
        waiting_.frame = waiting;
        loop_ = &loop::current();
        is_under_way_ = true;
        io_uring_sqe& entry = ring::current().entry_for(this);
        entry = request_;
        io_uring_sqe_set_data(&entry, static_cast<operation*>(this));
    }
    int await_resume() {
        const int result = std::exchange(result_, -ECANCELED);
        if (result < 0)
            throw std::system_error(-result, std::system_category());
        return result;
    }

    void completed(int result, unsigned) noexcept override {
        is_under_way_ = false;
        result_ = result;
        loop_->post(waiting_);
    }

protected:
    /// Ends the call, if it has not ended. Returns the result that the task has not seen: of a call that succeeded although
    /// it was dropped, what was won. -ECANCELED: nothing. A derived class calls it in its destructor, and gives back what was won.
    int withdraw() noexcept {
        if (is_under_way_ && !take_back_entry()) {
            // What the cancellation itself reports decides nothing: the call is over with its own completion.
            ring& carrying = ring::current();
            while (is_under_way_) {
                carrying.cancel(*this);
                carrying.wait(clock::now() + std::chrono::milliseconds(1));
            }
        }
        waiting_.unlink();
        return std::exchange(result_, -ECANCELED);
    }

private:
    /// Makes an entry that the kernel has not seen one that does nothing. False if the kernel has seen it.
    bool take_back_entry() noexcept {
        static detail::no_operation nothing;
        io_uring_sq& queue = ring::current().native()->sq;
        const unsigned count = io_uring_sq_ready(ring::current().native());
        for (unsigned at = queue.sqe_tail - count; at != queue.sqe_tail; ++at) {
            io_uring_sqe& entry = queue.sqes[at & queue.ring_mask];
            if (entry.user_data != reinterpret_cast<std::uintptr_t>(static_cast<operation*>(this)))
                continue;
            io_uring_prep_nop(&entry);
            io_uring_sqe_set_data(&entry, static_cast<operation*>(&nothing));
            is_under_way_ = false;
            return true;
        }
        return false;
    }

    io_uring_sqe request_{};
    parked waiting_;
    loop* loop_ = nullptr;  // a drop outside of run() may meet this call's completion
    int result_ = -ECANCELED;
    bool is_under_way_ = false;
};

}  // namespace lab
