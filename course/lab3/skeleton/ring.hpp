#pragma once

#include "support/todo.hpp"
#include "waiter.hpp"

#include <liburing.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <system_error>

namespace lab {

/// A request to the kernel. Its address is the entry's user_data, so it must stay where it is until its last completion
/// has come: the one without IORING_CQE_F_MORE.
class operation {
public:
    /// Called inside ring::wait(). It stores the result and posts what waits; it resumes nothing.
    virtual void completed(int result, unsigned flags) noexcept = 0;

protected:
    operation() = default;
    operation(const operation&) = default;
    operation& operator=(const operation&) = default;
    ~operation() = default;
};

/// One io_uring: what gathers in the submission queue goes to the kernel in one system call, when the loop has nothing
/// else to do.
///
/// Thread safety: belongs to the thread that made it, which has one at a time.
class ring final : public waiter {
public:
    /// Throws std::system_error when the kernel does not allow io_uring.
    explicit ring(unsigned entries = 256) {
        // TODO(step 1): io_uring_queue_init_params(), with the flags of the text.
        static_cast<void>(entries);
        course::todo("step 1: ring::ring");
        current_ = this;
    }
    ring(const ring&) = delete;
    ring& operator=(const ring&) = delete;
    ~ring() {
        // TODO(step 7): finish() first.
        io_uring_queue_exit(&ring_);
        current_ = nullptr;
    }

    /// This thread's ring.
    [[nodiscard]] static ring& current() noexcept { return *current_; }

    /// The next free entry, to be filled by an io_uring_prep_...() function. Its completions go to `owner`; nullptr: to
    /// nowhere. A full queue is submitted first.
    [[nodiscard]] io_uring_sqe& entry_for(operation* owner) noexcept {
        // TODO(step 1): a free entry with the owner as its data. TODO(step 3): a queue that is full.
        static_cast<void>(owner);
        course::todo("step 1: ring::entry_for");
    }

    /// Ends an operation early. It still has a last completion, usually with -ECANCELED.
    void cancel(operation& ended) noexcept { io_uring_prep_cancel(&entry_for(nullptr), &ended, 0); }
    /// Closes a descriptor with the next submission. Operations on it do not end by that: cancel them first.
    void close(int descriptor) noexcept { io_uring_prep_close(&entry_for(nullptr), descriptor); }

    [[nodiscard]] time_point now() override { return clock::now(); }

    /// Submits all, waits for a completion until `until` at the most (without it: for ever), and reports what has come.
    void wait(std::optional<time_point> until) override {
        static_cast<void>(until);
        course::todo("step 1: ring::wait");
    }

    /// Cancels all that is under way, and waits for its end: until then the kernel uses memory of others.
    void finish() noexcept { course::todo("step 7: ring::finish"); }

    /// How many operations have their last completion before them.
    [[nodiscard]] std::size_t under_way() const noexcept { return under_way_; }
    [[nodiscard]] io_uring* native() noexcept { return &ring_; }

private:
    inline static thread_local ring* current_ = nullptr;
    io_uring ring_{};
    std::size_t under_way_ = 0;
};

}  // namespace lab
