#include "contest/alarm_clock.hpp"
#include "tasks/checks.hpp"
#include "tasks/eddy_tasks.hpp"

#include <eddy/eddy.hpp>

namespace bench {
namespace {

eddy::task<std::uint64_t> one() {
    co_return 1;
}
eddy::task<std::uint64_t> one_after_yield() {
    co_await eddy::yield();
    co_return 1;
}
eddy::task<std::uint64_t> one_from_below() {
    co_return co_await one_after_yield();
}

eddy::async_generator<std::uint64_t> numbers() {
    for (std::uint64_t number = 1;; ++number)
        co_yield number;
}

eddy::task<sample> yield_until(double seconds) {
    std::int64_t count = 0;
    const stopwatch watch;
    for (const alarm_clock alarm(seconds); !alarm.has_rung(); ++count)
        co_await eddy::yield();
    co_return watch.stop(count);
}

eddy::task<sample> call_until(double seconds, eddy::task<std::uint64_t> (*called)()) {
    std::uint64_t count = 0, sum = 0;
    const stopwatch watch;
    for (const alarm_clock alarm(seconds); !alarm.has_rung(); ++count)
        sum += co_await called();
    expect_value(count, sum);
    co_return watch.stop(static_cast<std::int64_t>(count));
}

eddy::task<sample> generate_until(double seconds) {
    eddy::async_generator<std::uint64_t> values = numbers();
    std::uint64_t count = 0, last = 0;
    const stopwatch watch;
    for (const alarm_clock alarm(seconds); !alarm.has_rung(); ++count)
        last = *co_await values.next();
    expect_value(count, last);
    co_return watch.stop(static_cast<std::int64_t>(count));
}

}  // namespace

sample eddy_await_ready(const step_work& work) {
    return eddy::run(call_until(work.seconds, &one));
}
sample eddy_await_yield(const step_work& work) {
    return eddy::run(yield_until(work.seconds));
}
sample eddy_await_yield_below(const step_work& work) {
    return eddy::run(call_until(work.seconds, &one_after_yield));
}
sample eddy_await_yield_two_below(const step_work& work) {
    return eddy::run(call_until(work.seconds, &one_from_below));
}
sample eddy_generator(const step_work& work) {
    return eddy::run(generate_until(work.seconds));
}

}  // namespace bench
