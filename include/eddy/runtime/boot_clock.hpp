#pragma once

#include <chrono>

namespace eddy {

/// A clock that goes on while the machine is suspended, unlike eddy::clock, and is never set, unlike the wall
/// clock. For a lease, a cache or a session that must not outlast its time because a notebook was closed.
///
///     co_await sleep_until(boot_clock::now() + 10min);
struct boot_clock {
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<boot_clock>;
    static constexpr bool is_steady = true;

    /// The time by the worker's backend. Requires: the caller is on a worker.
    [[nodiscard]] static time_point now() noexcept;
};

}  // namespace eddy
