#pragma once

#include "memcached/moment.hpp"

#include <eddy/core/clock.hpp>

#include <chrono>
#include <cstdint>

namespace eddy::apps::memcached {

/// When an item ends whose client gives this expiration time: 0 is never, a negative one at once, up to 30
/// days from now, and above that a second of the wall clock (protocol.txt, "Expiration times"). `wall` is
/// what the wall clock shows now, since 1970.
[[nodiscard]] constexpr moment expiry_of(std::int64_t expiry_s, moment now, duration wall) noexcept {
    constexpr std::int64_t relative_s_max = std::int64_t{60} * 60 * 24 * 30;
    if (expiry_s == 0)
        return {};
    if (expiry_s <= relative_s_max)
        return expiry_s < 0 ? now : now.plus_seconds(static_cast<std::uint64_t>(expiry_s));
    const auto wall_s = std::chrono::floor<std::chrono::seconds>(wall);
    if (expiry_s <= wall_s.count())
        return now;
    const moment whole = now.plus_seconds(static_cast<std::uint64_t>(expiry_s - wall_s.count()));
    return moment(whole.ticks() - moment::after(wall - wall_s).ticks());
}

[[nodiscard]] inline moment expiry_of(std::int64_t expiry_s, moment now) noexcept {
    if (expiry_s == 0)
        return {};
    return expiry_of(expiry_s, now, std::chrono::system_clock::now().time_since_epoch());
}

}  // namespace eddy::apps::memcached
