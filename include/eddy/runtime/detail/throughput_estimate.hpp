#pragma once

#include <eddy/core/clock.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace eddy::detail {

/// Estimates how many shared functions this worker runs in the time it takes to wake another worker. A moving
/// average; starts with the worst case.
class throughput_estimate {
public:
    /// Between 1 and share_max.
    [[nodiscard]] std::size_t share() const noexcept {
        return std::clamp<std::size_t>(static_cast<std::size_t>(horizon / each_), 1, share_max);
    }
    /// The number of functions for which no other worker need be woken: the share, or none if a single one
    /// takes as long.
    [[nodiscard]] std::size_t expected() const noexcept { return each_ < horizon ? share() : 0; }

    /// So many have taken so long, with all else that the worker did meanwhile.
    void note(std::size_t functions, duration taken) noexcept {
        const duration each = taken / static_cast<duration::rep>(functions);
        each_ = std::max((each_ * 3 + each) / 4, duration(1));
    }

private:
    static constexpr duration horizon = std::chrono::microseconds(20);
    // Others wait for the lock while they are taken.
    static constexpr std::size_t share_max = 128;

    duration each_ = horizon;
};

}  // namespace eddy::detail
