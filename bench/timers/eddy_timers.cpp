#include "timers/firing.hpp"
#include "timers/timers.hpp"

#include <eddy/eddy.hpp>

namespace bench {
namespace {

eddy::runtime made_with(eddy::backend_kind backend) {
    return eddy::runtime(eddy::runtime_options().workers(1).backend(backend));
}

void set(eddy::timer& timer, bool is_deadline, eddy::time_point deadline) {
    if (is_deadline)
        timer.expires_at(deadline);
    else
        timer.expires_after(never_reached);
}

eddy::task<> wait_repeatedly(eddy::timer& timer, std::int64_t& reported) {
    for (;;) {
        const bool has_expired = co_await timer.wait();
        reported += has_expired ? 0 : 1;
    }
}

// The timer is set again and cancelled while another task waits for it.
eddy::task<std::int64_t> cancel_waits(double seconds, bool is_deadline) {
    eddy::timer timer;
    std::int64_t reported = 0;
    std::int64_t cancelled = 0;
    const eddy::time_point deadline = steady::now() + never_reached;
    set(timer, is_deadline, deadline);
    const auto waiting = eddy::spawn(wait_repeatedly(timer, reported));
    co_await eddy::yield();
    const time_window window(seconds);
    while (!window.is_over()) {
        for (int at = 0; at < cancelled_batch; ++at) {
            timer.cancel();
            set(timer, is_deadline, deadline);
            co_await eddy::yield();
        }
        cancelled += cancelled_batch;
    }
    if (reported != cancelled)
        throw failure("a wait that was cancelled was not told so");
    co_return cancelled;
}

// Two ways to wait for a while.
struct timer_wait {
    eddy::timer timer;
    auto wait(std::chrono::nanoseconds length) {
        timer.expires_after(length);
        return timer.wait();
    }
};
struct sleep_wait {
    auto wait(std::chrono::nanoseconds length) { return eddy::sleep_for(length); }
};

template <class Way>
eddy::task<> wait_for_nothing(const alarm_clock& alarm, std::int64_t& fired) {
    for (Way way; !alarm.has_rung(); ++fired)
        static_cast<void>(co_await way.wait(std::chrono::nanoseconds(0)));
}

template <class Way>
eddy::task<> wait_again(const alarm_clock& alarm, std::chrono::microseconds interval,
                        lateness_record& lateness) {
    Way way;
    while (!alarm.has_rung()) {
        const steady::time_point set_at = steady::now();
        static_cast<void>(co_await way.wait(interval));
        lateness.add(steady::now() - set_at - interval);
    }
}

eddy::task<> sleep_once(eddy::time_point deadline, deadline_record& record) {
    co_await eddy::sleep_until(deadline);
    record.fired(deadline);
}

template <class Way>
sample fire_at_once(double seconds, eddy::backend_kind backend) {
    eddy::runtime own = made_with(backend);
    std::int64_t fired = 0;
    const stopwatch watch;
    const alarm_clock alarm(seconds);
    own.run(wait_for_nothing<Way>(alarm, fired));
    return watch.stop(fired);
}

template <class Way>
sample fire_concurrently(double seconds, int timers, eddy::backend_kind backend) {
    eddy::runtime own = made_with(backend);
    lateness_record lateness;
    const stopwatch watch;
    const alarm_clock alarm(seconds);
    own.post([&] {
        for (int at = 0; at < timers; ++at)
            eddy::spawn(wait_again<Way>(alarm, interval_of(at, timers), lateness)).detach();
    });
    own.run();
    return lateness.stop(watch);
}

}  // namespace

sample eddy_timers::schedule_and_cancel(double seconds, bool is_deadline) {
    eddy::runtime own = made_with(eddy::backend_kind::automatic);
    std::int64_t cancelled = 0;
    const stopwatch watch;
    const eddy::time_point deadline = steady::now() + never_reached;
    const time_window window(seconds);
    while (!window.is_over()) {
        own.post([&] {
            for (int at = 0; at < cancelled_batch; ++at) {
                eddy::timer timer;
                set(timer, is_deadline, deadline);
                timer.cancel();
                ++cancelled;
            }
        });
        own.poll();
    }
    own.run();
    return watch.stop(cancelled);
}

sample eddy_timers::wait_and_cancel(double seconds, bool is_deadline) {
    eddy::runtime own = made_with(eddy::backend_kind::automatic);
    const stopwatch watch;
    const std::int64_t cancelled = own.run(cancel_waits(seconds, is_deadline));
    return watch.stop(cancelled);
}

sample eddy_timers::fire(double seconds, eddy::backend_kind backend) {
    return fire_at_once<timer_wait>(seconds, backend);
}

sample eddy_timers::concurrent(double seconds, int timers, eddy::backend_kind backend) {
    return fire_concurrently<timer_wait>(seconds, timers, backend);
}

sample eddy_sleeps::fire(double seconds, eddy::backend_kind backend) {
    return fire_at_once<sleep_wait>(seconds, backend);
}

sample eddy_sleeps::concurrent(double seconds, int timers, eddy::backend_kind backend) {
    return fire_concurrently<sleep_wait>(seconds, timers, backend);
}

sample eddy_sleeps::many(double seconds, eddy::backend_kind backend) {
    const std::vector<steady::time_point> deadlines = random_deadlines(seconds);
    eddy::runtime own = made_with(backend);
    deadline_record record;
    const stopwatch watch;
    own.post([&] {
        for (const steady::time_point deadline : deadlines)
            eddy::spawn(sleep_once(deadline, record)).detach();
    });
    own.run();
    return record.stop(watch, deadlines.size());
}

}  // namespace bench
