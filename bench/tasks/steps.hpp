#pragma once

#include "tasks/works.hpp"

namespace bench {

// Single steps, again and again, by tasks of any kind. `Yield` gives what a task awaits to let others go first.
template <template <class> class Task, auto Yield>
struct steps {
    static Task<std::uint64_t> one() { co_return 1; }
    static Task<std::uint64_t> one_after_yield() {
        co_await Yield();
        co_return 1;
    }
    static Task<std::uint64_t> one_from_below() { co_return co_await one_after_yield(); }

    static Task<sample> yield_until(double seconds) {
        std::int64_t count = 0;
        const stopwatch watch;
        for (const alarm_clock alarm(seconds); !alarm.has_rung(); ++count)
            co_await Yield();
        co_return watch.stop(count);
    }

    static Task<sample> call_until(double seconds, Task<std::uint64_t> (*called)()) {
        std::uint64_t count = 0, sum = 0;
        const stopwatch watch;
        for (const alarm_clock alarm(seconds); !alarm.has_rung(); ++count)
            sum += co_await called();
        expect_value(count, sum);
        co_return watch.stop(static_cast<std::int64_t>(count));
    }
};

}  // namespace bench
