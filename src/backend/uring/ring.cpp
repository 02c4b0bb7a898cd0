#include "backend/uring/ring.hpp"

#include "backend/uring/sanitizer_notes.hpp"

#include <eddy/detail/assert.hpp>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <unistd.h>

namespace eddy::backends {

namespace {

constexpr unsigned completions_per_entry = 8;
// So many have always been found a place in memory by the kernel (before 6.11 in one piece).
constexpr unsigned entries_max = 4096;

}  // namespace

ring::ring(unsigned entries) {
    entries = std::min(entries, entries_max);
    io_uring_params params{};
    params.flags = IORING_SETUP_CLAMP | IORING_SETUP_CQSIZE | IORING_SETUP_SUBMIT_ALL |
                   IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_TASKRUN_FLAG;
    params.cq_entries = entries * completions_per_entry;
    if (const int result = io_uring_queue_init_params(entries, &ring_, &params); result < 0)
        throw std::system_error(-result, std::system_category(), "io_uring_setup");
    if ((params.features & IORING_FEAT_EXT_ARG) == 0 || (params.features & IORING_FEAT_NODROP) == 0) {
        io_uring_queue_exit(&ring_);
        throw std::system_error(EINVAL, std::system_category(), "io_uring_setup");
    }
    // Entries are used in order, so the indirection stays as it is set here. Since 2.6 liburing requests a
    // ring without one (IORING_SETUP_NO_SQARRAY) where the kernel has such rings.
    for (unsigned at = 0; ring_.sq.array != nullptr && at < ring_.sq.ring_entries; ++at)
        ring_.sq.array[at] = at;
    // A registered ring spares each entry to the kernel the look-up of a descriptor.
    if (io_uring_register_ring_fd(&ring_) == 1)
        enter_flags_ |= IORING_ENTER_REGISTERED_RING;
}

// Two regions of whole pages: the entries, and the completions behind the head of both queues.
std::size_t ring::memory_bytes(unsigned entries) noexcept {
    const std::size_t count = std::bit_ceil(std::min(entries, entries_max));
    const auto in_pages = [](std::size_t bytes) {
        const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
        return (bytes + page - 1) / page * page;
    };
    constexpr std::size_t head_bytes = 256;
    return in_pages(count * sizeof(io_uring_sqe)) +
           in_pages(head_bytes + count * (completions_per_entry * sizeof(io_uring_cqe) + sizeof(unsigned)));
}

ring::~ring() {
    io_uring_queue_exit(&ring_);
}

io_uring_sqe& ring::next_entry() noexcept {
    io_uring_sq& queue = ring_.sq;
    while (queue.sqe_tail - io_uring_smp_load_acquire(queue.khead) >= queue.ring_entries) [[unlikely]]
        enter(0, duration::zero());
    io_uring_sqe& entry = queue.sqes[queue.sqe_tail & queue.ring_mask];
    ++queue.sqe_tail;
    ++handed_out_;
    return cleared(entry);
}

void ring::enter(unsigned completions_min, std::optional<duration> wait) noexcept {
    io_uring_sq& queue = ring_.sq;
    io_uring_smp_store_release(queue.ktail, queue.sqe_tail);
    const unsigned to_submit = queue.sqe_tail - io_uring_smp_load_acquire(queue.khead);

    unsigned flags = IORING_ENTER_GETEVENTS | enter_flags_;
    io_uring_getevents_arg argument{};
    __kernel_timespec timeout{};
    const bool is_timed = completions_min != 0 && wait.has_value();
    if (is_timed) {
        timeout.tv_sec = *wait / std::chrono::seconds(1);
        timeout.tv_nsec = (*wait % std::chrono::seconds(1)).count();
        argument.ts = reinterpret_cast<std::uintptr_t>(&timeout);
        flags |= IORING_ENTER_EXT_ARG;
    }
    note_release(this);
    ++kernel_entries_;
    // Other errors need no answer of their own: EINTR and ETIME end a wait; EBUSY and EAGAIN leave entries
    // queued for the next time, after completions have been reaped.
    const int result =
        is_timed ? io_uring_enter2(static_cast<unsigned>(ring_.enter_ring_fd), to_submit, completions_min,
                                   flags, reinterpret_cast<sigset_t*>(&argument), sizeof(argument))
                 : io_uring_enter2(static_cast<unsigned>(ring_.enter_ring_fd), to_submit, completions_min,
                                   flags, nullptr, _NSIG / 8);
    // Its registration, or the ring itself, is another thread's, and nothing can ever happen here.
    if (result == -EBADF || result == -EEXIST || result == -EINVAL) [[unlikely]]
        detail::fatal("a ring is used on a thread that has not made it");
    note_acquire(this);
}

}  // namespace eddy::backends
