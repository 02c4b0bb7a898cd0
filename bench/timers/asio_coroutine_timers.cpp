#include "timers/firing.hpp"
#include "timers/timers.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace bench {
namespace {

using boost::asio::awaitable;
using boost::asio::io_context;
using steady_timer = boost::asio::use_awaitable_t<>::as_default_on_t<boost::asio::steady_timer>;

awaitable<void> fire_at_once(const alarm_clock& alarm, std::int64_t& fired) {
    steady_timer timer(co_await boost::asio::this_coro::executor);
    while (!alarm.has_rung()) {
        timer.expires_after(std::chrono::nanoseconds(0));
        co_await timer.async_wait();
        ++fired;
    }
}

awaitable<void> fire_again(const alarm_clock& alarm, std::chrono::microseconds interval,
                           lateness_record& lateness) {
    steady_timer timer(co_await boost::asio::this_coro::executor);
    while (!alarm.has_rung()) {
        const steady::time_point set_at = steady::now();
        timer.expires_after(interval);
        co_await timer.async_wait();
        lateness.add(steady::now() - set_at - interval);
    }
}

}  // namespace

sample asio_coroutine_timers::fire(double seconds, int hint) {
    io_context context(hint);
    std::int64_t fired = 0;
    const stopwatch watch;
    const alarm_clock alarm(seconds);
    co_spawn(context, fire_at_once(alarm, fired), boost::asio::detached);
    context.run();
    return watch.stop(fired);
}

sample asio_coroutine_timers::concurrent(double seconds, int timers) {
    io_context context;
    lateness_record lateness;
    const stopwatch watch;
    const alarm_clock alarm(seconds);
    for (int at = 0; at < timers; ++at)
        co_spawn(context, fire_again(alarm, interval_of(at, timers), lateness), boost::asio::detached);
    context.run();
    return lateness.stop(watch);
}

}  // namespace bench
