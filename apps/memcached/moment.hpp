#pragma once

#include <eddy/core/clock.hpp>

#include <algorithm>
#include <compare>
#include <cstdint>
#include <limits>

namespace eddy::apps::memcached {

/// A time since the store was made, in 1/65536 s: small enough for an item, fine enough that one that is to
/// live a second lives a second. 0 means never.
class moment {
public:
    constexpr moment() noexcept = default;
    constexpr explicit moment(std::uint64_t ticks) noexcept : ticks_(ticks) {}

    /// Of a span that has passed; what does not fit into 32 bits of seconds is the last moment there is.
    [[nodiscard]] static constexpr moment after(duration passed) noexcept {
        const auto nanoseconds = static_cast<std::uint64_t>(passed.count());
        const std::uint64_t seconds = nanoseconds / nanoseconds_per_s;
        return moment(std::min(ticks_max, seconds * per_s) +
                      nanoseconds % nanoseconds_per_s * per_s / nanoseconds_per_s);
    }

    [[nodiscard]] constexpr std::uint64_t ticks() const noexcept { return ticks_; }
    [[nodiscard]] constexpr bool is_never() const noexcept { return ticks_ == 0; }
    [[nodiscard]] constexpr std::uint32_t seconds() const noexcept {
        return static_cast<std::uint32_t>(ticks_ / per_s);
    }
    [[nodiscard]] constexpr std::uint16_t fraction() const noexcept {
        return static_cast<std::uint16_t>(ticks_ % per_s);
    }
    [[nodiscard]] constexpr moment plus_seconds(std::uint64_t count) const noexcept {
        const std::uint64_t left = (ticks_max - ticks_) / per_s;
        return moment(count > left ? ticks_max : ticks_ + count * per_s);
    }
    /// Whole seconds from `earlier`, upwards; 0 if that is later.
    [[nodiscard]] constexpr std::uint64_t seconds_since(moment earlier) const noexcept {
        return ticks_ <= earlier.ticks_ ? 0 : (ticks_ - earlier.ticks_ + per_s - 1) / per_s;
    }

    friend constexpr auto operator<=>(moment, moment) noexcept = default;

private:
    static constexpr std::uint64_t per_s = 1 << 16;
    static constexpr std::uint64_t nanoseconds_per_s = 1'000'000'000;
    static constexpr std::uint64_t ticks_max = std::numeric_limits<std::uint32_t>::max() * per_s;

    std::uint64_t ticks_ = 0;
};

}  // namespace eddy::apps::memcached
