#pragma once

#include <eddy/base/assert.hpp>
#include <eddy/base/clock.hpp>

#include <cstddef>
#include <cstdint>

namespace eddy {

/// How many bytes may go by: a number a second, and what was not used before, up to a burst. It holds a time,
/// not a count: that at which all that has been taken will have been earned.
///
/// Thread safety: none.
class byte_rate {
public:
    /// Requires: neither is 0.
    byte_rate(std::uint64_t bytes_per_s, std::size_t burst_bytes) noexcept
        : bytes_per_s_(bytes_per_s), burst_bytes_(burst_bytes) {
        EDDY_ASSERT(bytes_per_s != 0 && burst_bytes != 0, "a rate lets something through");
    }

    [[nodiscard]] std::size_t burst_bytes() const noexcept { return burst_bytes_; }

    /// How many bytes may go by at once.
    [[nodiscard]] std::size_t available(time_point now) const noexcept;
    /// When so many may. Requires: count <= burst_bytes().
    [[nodiscard]] time_point available_at(std::size_t count) const noexcept;
    /// Counts bytes that go by.
    void take(std::size_t count, time_point now) noexcept;

private:
    [[nodiscard]] duration time_for(std::size_t count) const noexcept;

    std::uint64_t bytes_per_s_;
    std::size_t burst_bytes_;
    time_point earned_at_ = time_point::min();
};

}  // namespace eddy
