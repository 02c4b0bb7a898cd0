#include "contest/alarm_clock.hpp"
#include "tasks/asio_awaitable.hpp"
#include "tasks/asio_tasks.hpp"
#include "tasks/checks.hpp"

#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/coro.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

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

asio::experimental::coro<std::uint64_t, void, asio_executor> numbers(asio_executor) {
    for (std::uint64_t number = 1;; ++number)
        co_yield number;
}

asio_awaitable<sample> generate_until(double seconds) {
    auto values = numbers(co_await asio::this_coro::executor);
    std::uint64_t count = 0, last = 0;
    const stopwatch watch;
    for (const alarm_clock alarm(seconds); !alarm.has_rung(); ++count)
        last = *co_await values.async_resume(asio::use_awaitable_t<asio_executor>());
    expect_value(count, last);
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
sample asio_generator(const step_work& work) {
    return run_task(1, generate_until(work.seconds));
}

}  // namespace bench
