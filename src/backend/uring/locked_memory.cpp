#include "backend/uring/locked_memory.hpp"

#include "backend/uring/ring.hpp"

#include <algorithm>
#include <bit>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

namespace eddy::backends {

namespace {

// RLIM_INFINITY is more than any sum.
rlim_t limit() noexcept {
    rlimit found{};
    return ::getrlimit(RLIMIT_MEMLOCK, &found) == 0 ? found.rlim_cur : RLIM_INFINITY;
}

}  // namespace

std::size_t buffers_within_locked_memory(std::size_t wanted, unsigned queue_entries,
                                         std::size_t workers) noexcept {
    wanted = std::min(wanted, ring_buffers_max);
    // CAP_IPC_LOCK is mostly held by root; for other users with it this only means smaller rings than
    // possible.
    if (::geteuid() == 0)
        return wanted;
    const std::size_t queues = ring::memory_bytes(queue_entries);
    const rlim_t most = limit();
    while (wanted > ring_buffers_min &&
           workers * (queues + std::bit_ceil(wanted) * sizeof(io_uring_buf)) > most)
        wanted = std::max(wanted / 2, ring_buffers_min);
    return wanted;
}

locked_memory_wait::locked_memory_wait(unsigned queue_entries) noexcept {
    constexpr int waits_max = 15;
    if (ring::memory_bytes(queue_entries) + ring_buffers_min * sizeof(io_uring_buf) <= limit())
        waits_left_ = waits_max;
}

bool locked_memory_wait::next() noexcept {
    if (waits_left_ == 0)
        return false;
    --waits_left_;
    ::poll(nullptr, 0, static_cast<int>(pace_.next().count()));
    return true;
}

std::string limit_behind(const std::error_code& error) {
    const rlim_t most = limit();
    if (error != std::errc::not_enough_memory || most == RLIM_INFINITY)
        return {};
    return ", where a user's programs may lock " + std::to_string(most / 1024) + " KiB (RLIMIT_MEMLOCK)";
}

}  // namespace eddy::backends
