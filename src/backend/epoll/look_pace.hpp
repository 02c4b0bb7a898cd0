#pragma once

#include <algorithm>
#include <cstdint>

namespace eddy::backends {

/// How often epoll is asked while there is other work.
///
/// A turn that has work to report leaves epoll alone, but not for ever, and the less the more bytes have
/// moved: whoever waits to read what somebody else here has written should find it in the processor's caches.
/// Where nobody has begun to wait for some looks, bytes weigh less.
class look_pace {
public:
    /// A turn with work to report has come to its end: whether it is time to look.
    [[nodiscard]] bool is_due() noexcept { return (work_ += work_of_turn) >= work_max; }
    void note_look() noexcept {
        work_ = 0;
        looks_for_new_ = std::max(looks_for_new_, 1U) - 1;
    }
    /// Somebody has begun to wait for a descriptor.
    void note_wait() noexcept { looks_for_new_ = looks_for_new_max; }
    /// The result of a transfer.
    void note_moved(std::int32_t bytes) noexcept {
        if (bytes < bytes_weighed)
            return;
        const unsigned weight = looks_for_new_ != 0 ? weight_for_new : 1;
        work_ += static_cast<unsigned>(bytes / bytes_weighed) * weight;
    }

private:
    static constexpr unsigned work_max = 128;
    static constexpr unsigned work_of_turn = 16;
    static constexpr std::int32_t bytes_weighed = 8192;
    static constexpr unsigned weight_for_new = 16;
    static constexpr unsigned looks_for_new_max = 4;

    unsigned work_ = 0;
    unsigned looks_for_new_ = 0;
};

}  // namespace eddy::backends
