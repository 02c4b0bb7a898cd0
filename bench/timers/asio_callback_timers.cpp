#include "timers/firing.hpp"
#include "timers/timers.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <memory>

namespace bench {
namespace {

using boost::asio::io_context;
using boost::asio::steady_timer;
using boost::system::error_code;

void set(steady_timer& timer, bool is_deadline, steady::time_point deadline) {
    if (is_deadline)
        timer.expires_at(deadline);
    else
        timer.expires_after(never_reached);
}

// Sets and cancels batches of timers; `wait` may begin a wait in between.
template <class Wait>
std::int64_t cancel_batches(double seconds, io_context& context, bool is_deadline, Wait wait) {
    std::int64_t cancelled = 0;
    const steady::time_point deadline = steady::now() + never_reached;
    const time_window window(seconds);
    while (!window.is_over()) {
        for (int at = 0; at < cancelled_batch; ++at) {
            steady_timer timer(context.get_executor());
            set(timer, is_deadline, deadline);
            wait(timer);
            timer.cancel();
            ++cancelled;
        }
        context.poll();
        context.restart();
    }
    context.run();
    return cancelled;
}

struct fired_at_once {
    steady_timer timer;
    const alarm_clock& alarm;
    std::int64_t fired = 0;

    void start() {
        if (alarm.has_rung())
            return;
        timer.expires_after(std::chrono::nanoseconds(0));
        timer.async_wait([this](error_code) {
            ++fired;
            start();
        });
    }
};

struct fired_again {
    steady_timer timer;
    const alarm_clock& alarm;
    std::chrono::microseconds interval;
    lateness_record& lateness;
    steady::time_point set_at{};

    void start() {
        if (alarm.has_rung())
            return;
        set_at = steady::now();
        timer.expires_after(interval);
        timer.async_wait([this](error_code) {
            lateness.add(steady::now() - set_at - interval);
            start();
        });
    }
};

}  // namespace

sample asio_callback_timers::schedule_and_cancel(double seconds, int hint, bool is_deadline) {
    io_context context(hint);
    const stopwatch watch;
    return watch.stop(cancel_batches(seconds, context, is_deadline, [](steady_timer&) {}));
}

sample asio_callback_timers::wait_and_cancel(double seconds, int hint, bool is_deadline) {
    io_context context(hint);
    std::int64_t reported = 0;
    const stopwatch watch;
    const std::int64_t cancelled = cancel_batches(seconds, context, is_deadline, [&](steady_timer& timer) {
        timer.async_wait([&reported](error_code error) { reported += error ? 1 : 0; });
    });
    if (reported != cancelled)
        throw failure("a wait that was cancelled was not told so");
    return watch.stop(cancelled);
}

sample asio_callback_timers::fire(double seconds, int hint) {
    io_context context(hint);
    const stopwatch watch;
    const alarm_clock alarm(seconds);
    fired_at_once timer{steady_timer(context), alarm};
    timer.start();
    context.run();
    return watch.stop(timer.fired);
}

sample asio_callback_timers::concurrent(double seconds, int timers) {
    io_context context;
    lateness_record lateness;
    std::vector<std::unique_ptr<fired_again>> running;
    const stopwatch watch;
    const alarm_clock alarm(seconds);
    for (int at = 0; at < timers; ++at) {
        running.push_back(std::make_unique<fired_again>(
            fired_again{steady_timer(context), alarm, interval_of(at, timers), lateness}));
        running.back()->start();
    }
    context.run();
    return lateness.stop(watch);
}

sample asio_callback_timers::many(double seconds) {
    const std::vector<steady::time_point> deadlines = random_deadlines(seconds);
    io_context context;
    deadline_record record;
    std::vector<steady_timer> timers;
    timers.reserve(deadlines.size());
    const stopwatch watch;
    for (const steady::time_point deadline : deadlines) {
        timers.emplace_back(context, deadline);
        timers.back().async_wait([&record, deadline](error_code) { record.fired(deadline); });
    }
    context.run();
    return record.stop(watch, deadlines.size());
}

}  // namespace bench
