#include "contest/alarm_clock.hpp"
#include "tasks/asio_awaitable.hpp"
#include "tasks/asio_tasks.hpp"
#include "tasks/checks.hpp"

#include <boost/asio/deferred.hpp>
#include <boost/asio/post.hpp>

namespace bench {
namespace {

namespace asio = boost::asio;

asio_awaitable<std::uint64_t> one() {
    co_return 1;
}
asio_awaitable<std::uint64_t> one_after_yield() {
    co_await asio::post(asio::deferred);
    co_return 1;
}
asio_awaitable<std::uint64_t> one_from_below() {
    co_return co_await one_after_yield();
}

asio_awaitable<sample> yield_until(double seconds) {
    std::int64_t count = 0;
    const stopwatch watch;
    for (const alarm_clock alarm(seconds); !alarm.has_rung(); ++count)
        co_await asio::post(asio::deferred);
    co_return watch.stop(count);
}

asio_awaitable<sample> call_until(double seconds, asio_awaitable<std::uint64_t> (*called)()) {
    std::uint64_t count = 0, sum = 0;
    const stopwatch watch;
    for (const alarm_clock alarm(seconds); !alarm.has_rung(); ++count)
        sum += co_await called();
    expect_value(count, sum);
    co_return watch.stop(static_cast<std::int64_t>(count));
}

}  // namespace

sample asio_await_ready(const step_work& work) {
    return run_task(1, call_until(work.seconds, &one));
}
sample asio_await_yield(const step_work& work) {
    return run_task(1, yield_until(work.seconds));
}
sample asio_await_yield_below(const step_work& work) {
    return run_task(1, call_until(work.seconds, &one_after_yield));
}
sample asio_await_yield_two_below(const step_work& work) {
    return run_task(1, call_until(work.seconds, &one_from_below));
}

}  // namespace bench
