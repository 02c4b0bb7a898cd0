#include "timers/contests.hpp"

#include "timers/asio_timers.hpp"
#include "timers/eddy_timers.hpp"

#include <boost/asio/detail/concurrency_hint.hpp>

#include <string>
#include <utility>

namespace bench {
namespace {

using eddy::backend_kind;

constexpr int locked = BOOST_ASIO_CONCURRENCY_HINT_DEFAULT;
constexpr int lockless = BOOST_ASIO_CONCURRENCY_HINT_UNSAFE;

constexpr const char* callbacks = "asio_callbacks";
constexpr const char* callbacks_lockless = "asio_callbacks_lockless";
constexpr const char* coroutines = "asio_coroutines";

// A measurement with the rest of its arguments.
template <class Measure, class... Arguments>
contender made(const char* name, Measure measure, Arguments... arguments) {
    return {name, [=](double seconds) { return measure(seconds, arguments...); }};
}

contest schedule_and_cancel(std::string name, std::string about, bool is_deadline) {
    constexpr auto asio = asio_callback_timers::schedule_and_cancel;
    return {.name = std::move(name),
            .about = std::move(about),
            .item = "timer",
            .is_single_threaded = true,
            .contenders = {made(callbacks, asio, locked, is_deadline),
                           made(callbacks_lockless, asio, lockless, is_deadline),
                           made("eddy_timer", eddy_timers::schedule_and_cancel, is_deadline)}};
}

contest wait_and_cancel(std::string name, std::string about, bool is_deadline) {
    constexpr auto asio = asio_callback_timers::wait_and_cancel;
    return {.name = std::move(name),
            .about = std::move(about),
            .item = "timer",
            .is_single_threaded = true,
            .contenders = {made(callbacks, asio, locked, is_deadline),
                           made(callbacks_lockless, asio, lockless, is_deadline),
                           made("eddy_timer", eddy_timers::wait_and_cancel, is_deadline)}};
}

contest fire_rate() {
    return {.name = "fire_rate",
            .about = "one timer, set for no time at all, waited for, again and again",
            .item = "expiry",
            .is_single_threaded = true,
            .contenders = {made(callbacks, asio_callback_timers::fire, locked),
                           made(callbacks_lockless, asio_callback_timers::fire, lockless),
                           made(coroutines, asio_coroutine_timers::fire, locked),
                           made("eddy_timer", eddy_timers::fire, backend_kind::io_uring),
                           made("eddy_timer_epoll", eddy_timers::fire, backend_kind::epoll),
                           made("eddy_sleep", eddy_sleeps::fire, backend_kind::io_uring),
                           made("eddy_sleep_epoll", eddy_sleeps::fire, backend_kind::epoll)}};
}

contest concurrent(int timers) {
    return {.name = "concurrent/" + std::to_string(timers),
            .about = std::to_string(timers) + " timers of 100 to 1000 us, set anew as they expire",
            .item = "expiry",
            .is_single_threaded = true,
            .times_are_late = true,
            .contenders = {made(callbacks, asio_callback_timers::concurrent, timers),
                           made(coroutines, asio_coroutine_timers::concurrent, timers),
                           made("eddy_timer", eddy_timers::concurrent, timers, backend_kind::io_uring),
                           made("eddy_timer_epoll", eddy_timers::concurrent, timers, backend_kind::epoll),
                           made("eddy_sleep", eddy_sleeps::concurrent, timers, backend_kind::io_uring),
                           made("eddy_sleep_epoll", eddy_sleeps::concurrent, timers, backend_kind::epoll)}};
}

contest a_million() {
    return {
        .name = "a_million",
        .about = "1,000,000 timers with random deadlines in four windows: all fire, in order, never early",
        .item = "timer",
        .is_single_threaded = true,
        .times_are_late = true,
        .contenders = {made(callbacks, asio_callback_timers::many),
                       made("eddy_sleep", eddy_sleeps::many, backend_kind::io_uring),
                       made("eddy_sleep_epoll", eddy_sleeps::many, backend_kind::epoll)}};
}

}  // namespace

suite timers_suite() {
    suite made{.program = "eddy-bench-timers",
               .about = "Measures timers that are set, cancelled and fired.",
               .bases = {callbacks, coroutines},
               .contests = {}};
    made.contests.push_back(schedule_and_cancel(
        "schedule_cancel", "made, set for an hour from now, cancelled, destroyed", false));
    made.contests.push_back(schedule_and_cancel("schedule_cancel_deadline",
                                                "made, set for a deadline, cancelled, destroyed", true));
    made.contests.push_back(
        wait_and_cancel("wait_cancel", "the same for an hour from now, with a wait that is told", false));
    made.contests.push_back(
        wait_and_cancel("wait_cancel_deadline", "the same for a deadline, with a wait that is told", true));
    made.contests.push_back(fire_rate());
    for (const int timers : {10, 100, 1000})
        made.contests.push_back(concurrent(timers));
    made.contests.push_back(a_million());
    return made;
}

}  // namespace bench
