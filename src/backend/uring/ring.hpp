#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/detail/counter.hpp>

#include <liburing.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

namespace eddy::backends {

/// One io_uring instance: the mapping of its queues and the one system call that serves them.
///
/// Thread safety: belongs to the thread that made it (IORING_SETUP_SINGLE_ISSUER).
class ring {
public:
    /// Throws std::system_error when the kernel does not allow io_uring (EPERM, ENOSYS) or lacks what eddy
    /// needs (EINVAL): Linux 6.1 or later.
    explicit ring(unsigned entries);
    ring(const ring&) = delete;
    ring& operator=(const ring&) = delete;
    ~ring();

    /// The next free submission entry, cleared. When the queue is full, what it holds is submitted first.
    [[nodiscard]] io_uring_sqe& next_entry() noexcept;

    /// The number of the entry that next_entry() gave last.
    [[nodiscard]] std::uint64_t last_number() const noexcept { return handed_out_; }
    /// Whether an entry has not been seen by the kernel yet.
    [[nodiscard]] bool is_unsubmitted(std::uint64_t number) const noexcept {
        return handed_out_ - number < ring_.sq.sqe_tail - io_uring_smp_load_acquire(ring_.sq.khead);
    }
    /// Whether the kernel has seen every entry.
    [[nodiscard]] bool has_submitted_all() const noexcept {
        return ring_.sq.sqe_tail == io_uring_smp_load_acquire(ring_.sq.khead);
    }
    /// An entry, cleared, for another operation. Requires: is_unsubmitted(number).
    [[nodiscard]] io_uring_sqe& replaced_entry(std::uint64_t number) noexcept {
        const auto back = static_cast<unsigned>(handed_out_ - number);
        return cleared(ring_.sq.sqes[(ring_.sq.sqe_tail - 1 - back) & ring_.sq.ring_mask]);
    }

    /// Submits everything and waits for `completions_min` completions, for `wait` at the most. Interruptions
    /// and time-outs are ordinary: look at the queue.
    void enter(unsigned completions_min, std::optional<duration> wait) noexcept;

    /// Calls visit(cqe) for each completion that was there at the time of the call and takes it off the
    /// queue. Returns their number.
    template <class Visit>
    unsigned reap(Visit visit) {
        unsigned head = *ring_.cq.khead;
        const unsigned tail = io_uring_smp_load_acquire(ring_.cq.ktail);
        const unsigned count = tail - head;
        for (; head != tail; ++head) {
            const io_uring_cqe seen = ring_.cq.cqes[head & ring_.cq.ring_mask];
            io_uring_smp_store_release(ring_.cq.khead, head + 1);
            visit(seen);
        }
        return count;
    }

    /// Whether the kernel has something for us, or we have something for it.
    [[nodiscard]] bool has_work() const noexcept {
        return ring_.sq.sqe_tail != io_uring_smp_load_acquire(ring_.sq.khead) || has_completions() ||
               (io_uring_smp_load_acquire(ring_.sq.kflags) & (IORING_SQ_TASKRUN | IORING_SQ_CQ_OVERFLOW)) !=
                   0;
    }
    [[nodiscard]] bool has_completions() const noexcept {
        return *ring_.cq.khead != io_uring_smp_load_acquire(ring_.cq.ktail);
    }

    /// Whether there are completions that reap() has not shown yet, in the queue or because it was full.
    [[nodiscard]] bool has_unseen_completions() const noexcept {
        return has_completions() || (io_uring_smp_load_acquire(ring_.sq.kflags) & IORING_SQ_CQ_OVERFLOW) != 0;
    }

    /// How much locked memory a ring takes.
    [[nodiscard]] static std::size_t memory_bytes(unsigned entries) noexcept;

    /// How many completions the queue holds.
    [[nodiscard]] std::size_t completions_max() const noexcept { return ring_.cq.ring_entries; }

    [[nodiscard]] io_uring& raw() noexcept { return ring_; }
    [[nodiscard]] std::uint64_t kernel_entries() const noexcept { return kernel_entries_.value(); }

private:
    // io_uring_prep_*() of newer liburings set the fields only that an operation has.
    [[nodiscard]] static io_uring_sqe& cleared(io_uring_sqe& entry) noexcept {
        std::memset(&entry, 0, sizeof(entry));
        return entry;
    }

    io_uring ring_{};
    std::uint64_t handed_out_ = 0;
    detail::counter kernel_entries_;
    unsigned enter_flags_ = 0;
};

}  // namespace eddy::backends
