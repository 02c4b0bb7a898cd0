#pragma once

#include <cstdint>

namespace eddy::detail {

/// How often in a row something that usually need not wait is done at once. Every so many times it goes
/// through the worker's turn, or a task that always finds something to do would leave no time to timers and
/// to others.
class fair_share {
public:
    /// Counts one more; true if it is time to wait for a turn.
    [[nodiscard]] bool is_used_up() noexcept { return ++count_ % at_once_max == 0; }

private:
    static constexpr std::uint32_t at_once_max = 16;
    std::uint32_t count_ = 0;
};

}  // namespace eddy::detail
