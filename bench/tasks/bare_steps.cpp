#include "tasks/bare_steps.hpp"

#include "contest/alarm_clock.hpp"
#include "micro/bare_task.hpp"
#include "tasks/checks.hpp"

namespace bench::bare_steps {
namespace {

bare::task<std::uint64_t> one() {
    co_return 1;
}
bare::task<std::uint64_t> one_after_yield() {
    co_await bare::yield();
    co_return 1;
}
bare::task<std::uint64_t> one_from_below() {
    co_return co_await one_after_yield();
}

bare::task<void> yield_until(double seconds, sample& result) {
    std::int64_t count = 0;
    const stopwatch watch;
    for (const alarm_clock alarm(seconds); !alarm.has_rung(); ++count)
        co_await bare::yield();
    result = watch.stop(count);
}

bare::task<void> call_until(double seconds, bare::task<std::uint64_t> (*called)(), std::uint64_t& sum,
                            sample& result) {
    std::int64_t count = 0;
    const stopwatch watch;
    for (const alarm_clock alarm(seconds); !alarm.has_rung(); ++count)
        sum += co_await called();
    result = watch.stop(count);
}

sample call(double seconds, bare::task<std::uint64_t> (*called)()) {
    std::uint64_t sum = 0;
    sample result;
    bare::run(call_until(seconds, called, sum, result));
    expect_value(static_cast<std::uint64_t>(result.items), sum);
    return result;
}

}  // namespace

sample await_ready(const step_work& work) {
    return call(work.seconds, &one);
}
sample await_yield(const step_work& work) {
    sample result;
    bare::run(yield_until(work.seconds, result));
    return result;
}
sample await_yield_below(const step_work& work) {
    return call(work.seconds, &one_after_yield);
}
sample await_yield_two_below(const step_work& work) {
    return call(work.seconds, &one_from_below);
}

}  // namespace bench::bare_steps
