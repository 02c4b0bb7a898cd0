#pragma once

#include "loop.hpp"
#include "parked.hpp"
#include "ring.hpp"
#include "support/todo.hpp"

#include <cerrno>
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
    ~call() {
        // TODO(step 1): withdraw().
    }

    /// To be filled by an io_uring_prep_...() function.
    [[nodiscard]] io_uring_sqe& request() noexcept { return request_; }

    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> waiting) noexcept {
        // TODO(step 1): as in lab 3; and keep the loop, since a drop outside of run() may meet this call's completion.
        static_cast<void>(waiting);
        course::todo("step 1: call::await_suspend");
    }
    int await_resume() {
        // TODO(step 1): as in lab 3. TODO(step 3): the task has seen the result now: nothing is left to give back.
        course::todo("step 1: call::await_resume");
    }

    void completed(int result, unsigned) noexcept override {
        static_cast<void>(result);
        course::todo("step 1: call::completed");
    }

protected:
    /// Ends the call, if it has not ended. Returns the result that the task has not seen: of a call that succeeded although
    /// it was dropped, what was won. -ECANCELED: nothing. A derived class calls it in its destructor, and gives back what was won.
    int withdraw() noexcept {
        // TODO(step 1): an entry that the kernel has not seen. TODO(step 2): a call that the kernel has.
        // TODO(step 3): the result that the task has not seen.
        return -ECANCELED;
    }

private:
    /// Makes an entry that the kernel has not seen one that does nothing. False if the kernel has seen it.
    bool take_back_entry() noexcept { course::todo("step 1: call::take_back_entry"); }

    io_uring_sqe request_{};
    parked waiting_;
    loop* loop_ = nullptr;  // a drop outside of run() may meet this call's completion
    int result_ = -ECANCELED;
    bool is_under_way_ = false;
};

}  // namespace lab
