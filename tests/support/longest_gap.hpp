#pragma once

#include <eddy/core/clock.hpp>

#include <algorithm>
#include <utility>

namespace eddy::test {

/// The longest time between two looks of a task that looks all the time: how long it was kept from running.
/// What was seen in a run with a gap of that length says nothing of the library where the clock matters, so
/// such a run is made again:
///
///     test::longest_gap gap;
///     do { ... gap.look(); ... } while (...);
class longest_gap {
public:
    void look() {
        const time_point now = clock::now();
        longest_ = std::max(longest_, now - std::exchange(last_, now));
    }
    [[nodiscard]] duration longest() const noexcept { return longest_; }

private:
    time_point last_ = clock::now();
    duration longest_{};
};

}  // namespace eddy::test
