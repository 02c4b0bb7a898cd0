#include "backend/uring/ring.hpp"

#include "backend/uring/sanitizer_notes.hpp"

#include <cerrno>
#include <cstring>
#include <system_error>

namespace eddy::backends {

namespace {

constexpr unsigned completions_per_entry = 8;

}  // namespace

ring::ring(unsigned entries) {
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
    // Entries are used in order, so the indirection stays as it is set here.
    for (unsigned at = 0; at < ring_.sq.ring_entries; ++at)
        ring_.sq.array[at] = at;
    // A registered ring spares each entry to the kernel the look-up of a descriptor.
    if (io_uring_register_ring_fd(&ring_) == 1)
        enter_flags_ |= IORING_ENTER_REGISTERED_RING;
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
    return entry;
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
    // Errors need no answer of their own: EINTR and ETIME end a wait; EBUSY and EAGAIN leave entries queued
    // for the next time, after completions have been reaped.
    if (is_timed)
        io_uring_enter2(static_cast<unsigned>(ring_.enter_ring_fd), to_submit, completions_min, flags,
                        reinterpret_cast<sigset_t*>(&argument), sizeof(argument));
    else
        io_uring_enter2(static_cast<unsigned>(ring_.enter_ring_fd), to_submit, completions_min, flags,
                        nullptr, _NSIG / 8);
    note_acquire(this);
}

}  // namespace eddy::backends
