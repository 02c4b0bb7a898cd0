#pragma once

#include <eddy/core/clock.hpp>

#include <chrono>
#include <type_traits>

namespace eddy {

namespace detail {

/// `length` after `start`, or the end of time if that comes first. A negative length is none.
template <class Rep, class Period>
[[nodiscard]] constexpr time_point deadline_after(time_point start,
                                                  std::chrono::duration<Rep, Period> length) noexcept {
    using std::chrono::duration_cast;
    using real = std::chrono::duration<long double, duration::period>;
    if (!(length > length.zero()))
        return start;
    const duration left = time_point::max() - start;
    if constexpr (std::is_same_v<std::chrono::duration<Rep, Period>, duration>)
        return length >= left ? time_point::max() : start + length;
    else
        return duration_cast<real>(length) >= duration_cast<real>(left)
                   ? time_point::max()
                   : start + std::chrono::ceil<duration>(length);
}

/// `length` as a duration, or the longest one if that is shorter. A negative length is none.
template <class Rep, class Period>
[[nodiscard]] constexpr duration saturated(std::chrono::duration<Rep, Period> length) noexcept {
    return deadline_after(time_point(), length).time_since_epoch();
}

}  // namespace detail

}  // namespace eddy
