#pragma once

#include <algorithm>
#include <cstdint>

namespace eddy::backends {

/// How often epoll is polled while there is other work.
///
/// A turn that has other work does not poll epoll, up to a limit that shrinks with the bytes moved: a task
/// that waits to read what another one here has written should find it in the processor's caches. If no task
/// has begun to wait for some polls, bytes weigh less.
class poll_interval {
public:
    /// A turn with work to report has come to its end: whether it is time to look.
    [[nodiscard]] bool is_due() noexcept { return (work_ += work_of_turn) >= work_max; }
    void note_poll() noexcept {
        work_ = 0;
        polls_for_new_ = std::max(polls_for_new_, 1U) - 1;
    }
    /// A task has begun to wait for a descriptor.
    void note_wait() noexcept { polls_for_new_ = polls_for_new_max; }
    /// The result of a transfer.
    void note_moved(std::int32_t bytes) noexcept {
        if (bytes < bytes_weighed)
            return;
        const unsigned weight = polls_for_new_ != 0 ? weight_for_new : 1;
        work_ += static_cast<unsigned>(bytes / bytes_weighed) * weight;
    }

private:
    static constexpr unsigned work_max = 128;
    static constexpr unsigned work_of_turn = 16;
    static constexpr std::int32_t bytes_weighed = 8192;
    static constexpr unsigned weight_for_new = 16;
    static constexpr unsigned polls_for_new_max = 4;

    unsigned work_ = 0;
    unsigned polls_for_new_ = 0;
};

}  // namespace eddy::backends
