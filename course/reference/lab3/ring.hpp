#pragma once

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
        io_uring_params params{};
        params.flags = IORING_SETUP_CLAMP | IORING_SETUP_SUBMIT_ALL | IORING_SETUP_CQSIZE |
                       IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_TASKRUN_FLAG;
        params.cq_entries = entries * 8;
        if (const int result = io_uring_queue_init_params(entries, &ring_, &params); result < 0)
            throw std::system_error(-result, std::system_category(), "io_uring_setup");
        io_uring_register_ring_fd(&ring_);
        current_ = this;
    }
    ring(const ring&) = delete;
    ring& operator=(const ring&) = delete;
    ~ring() {
        finish();
        io_uring_submit(&ring_);
        io_uring_queue_exit(&ring_);
        current_ = nullptr;
    }

    /// This thread's ring.
    [[nodiscard]] static ring& current() noexcept { return *current_; }

    /// The next free entry, to be filled by an io_uring_prep_...() function. Its completions go to `owner`; nullptr: to
    /// nowhere. A full queue is submitted first.
    [[nodiscard]] io_uring_sqe& entry_for(operation* owner) noexcept {
        io_uring_sqe* free = io_uring_get_sqe(&ring_);
        while (free == nullptr) {
            io_uring_submit_and_get_events(&ring_);
            free = io_uring_get_sqe(&ring_);
        }
        io_uring_sqe_set_data(free, owner);
        under_way_ += owner != nullptr ? 1 : 0;
        return *free;
    }

    /// Ends an operation early. It still has a last completion, usually with -ECANCELED.
    void cancel(operation& ended) noexcept { io_uring_prep_cancel(&entry_for(nullptr), &ended, 0); }
    /// Closes a descriptor with the next submission. Operations on it do not end by that: cancel them first.
    void close(int descriptor) noexcept { io_uring_prep_close(&entry_for(nullptr), descriptor); }

    [[nodiscard]] time_point now() override { return clock::now(); }

    /// Submits all, waits for a completion until `until` at the most (without it: for ever), and reports what has come.
    void wait(std::optional<time_point> until) override {
        if (!until)
            enter(std::nullopt);
        else if (const time_point present = now(); *until > present)
            enter(*until - present);
        else
            io_uring_submit_and_get_events(&ring_);
        reap();
    }

    /// Cancels all that is under way, and waits for its end: until then the kernel uses memory of others.
    void finish() noexcept {
        while (under_way_ != 0) {
            io_uring_prep_cancel(&entry_for(nullptr), nullptr,
                                 IORING_ASYNC_CANCEL_ANY | IORING_ASYNC_CANCEL_ALL);
            enter(std::chrono::milliseconds(1));
            reap();
        }
    }

    /// How many operations have their last completion before them.
    [[nodiscard]] std::size_t under_way() const noexcept { return under_way_; }
    [[nodiscard]] io_uring* native() noexcept { return &ring_; }

private:
    // Interruptions and time-outs are ordinary: what counts is in the queue.
    void enter(std::optional<duration> limit) noexcept {
        io_uring_cqe* first = nullptr;
        __kernel_timespec time{};
        if (limit) {
            time.tv_sec = *limit / std::chrono::seconds(1);
            time.tv_nsec = (*limit % std::chrono::seconds(1)).count();
        }
        io_uring_submit_and_wait_timeout(&ring_, &first, 1, limit ? &time : nullptr, nullptr);
    }

    void reap() noexcept {
        unsigned head = 0;
        unsigned count = 0;
        io_uring_cqe* seen = nullptr;
        io_uring_for_each_cqe(&ring_, head, seen) {
            ++count;
            if (auto* const owner = static_cast<operation*>(io_uring_cqe_get_data(seen))) {
                under_way_ -= (seen->flags & IORING_CQE_F_MORE) == 0 ? 1 : 0;
                owner->completed(seen->res, seen->flags);
            }
        }
        io_uring_cq_advance(&ring_, count);
    }

    inline static thread_local ring* current_ = nullptr;
    io_uring ring_{};
    std::size_t under_way_ = 0;
};

}  // namespace lab
