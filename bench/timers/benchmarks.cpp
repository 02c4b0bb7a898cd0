// Timers of Boost.Asio and eddy that are set, cancelled and fired, by the definitions of Boost.Corosio's timer
// benchmarks and beyond.
#include "measure/subjects.hpp"
#include "timers/timers.hpp"

#include <boost/asio/detail/concurrency_hint.hpp>

namespace bench {
namespace {

using eddy::backend_kind;

constexpr int locked = BOOST_ASIO_CONCURRENCY_HINT_DEFAULT;
constexpr int lockless = BOOST_ASIO_CONCURRENCY_HINT_UNSAFE;

benchmark cancelled(const char* name, const char* about, bool is_deadline, sample (*asios)(double, int, bool),
                    sample (*eddys)(double, bool)) {
    return {.name = name,
            .about = about,
            .item = "timer",
            .is_single_threaded = true,
            .subjects = {subject_by("asio_callbacks", asios, locked, is_deadline),
                         subject_by("asio_callbacks_lockless", asios, lockless, is_deadline),
                         subject_by("eddy_timer", eddys, is_deadline)}};
}

benchmark fire_rate() {
    return {.name = "fire_rate",
            .about = "one timer, set for no time at all, waited for, again and again",
            .item = "expiry",
            .is_single_threaded = true,
            .subjects = {subject_by("asio_callbacks", asio_callback_timers::fire, locked),
                         subject_by("asio_callbacks_lockless", asio_callback_timers::fire, lockless),
                         subject_by("asio_coroutines", asio_coroutine_timers::fire, locked),
                         subject_by("eddy_timer", eddy_timers::fire, backend_kind::io_uring),
                         subject_by("eddy_timer_epoll", eddy_timers::fire, backend_kind::epoll),
                         subject_by("eddy_sleep", eddy_sleeps::fire, backend_kind::io_uring),
                         subject_by("eddy_sleep_epoll", eddy_sleeps::fire, backend_kind::epoll)}};
}

benchmark concurrent(int timers) {
    return {
        .name = "concurrent/" + std::to_string(timers),
        .about = std::to_string(timers) + " timers of 100 to 1000 us, set anew as they expire",
        .item = "expiry",
        .is_single_threaded = true,
        .times_are_late = true,
        .subjects = {subject_by("asio_callbacks", asio_callback_timers::concurrent, timers),
                     subject_by("asio_coroutines", asio_coroutine_timers::concurrent, timers),
                     subject_by("eddy_timer", eddy_timers::concurrent, timers, backend_kind::io_uring),
                     subject_by("eddy_timer_epoll", eddy_timers::concurrent, timers, backend_kind::epoll),
                     subject_by("eddy_sleep", eddy_sleeps::concurrent, timers, backend_kind::io_uring),
                     subject_by("eddy_sleep_epoll", eddy_sleeps::concurrent, timers, backend_kind::epoll)}};
}

benchmark a_million() {
    return {
        .name = "a_million",
        .about = "1,000,000 timers with random deadlines in four windows: all fire, in order, never early",
        .item = "timer",
        .is_single_threaded = true,
        .times_are_late = true,
        .subjects = {subject_by("asio_callbacks", asio_callback_timers::many),
                     subject_by("eddy_sleep", eddy_sleeps::many, backend_kind::io_uring),
                     subject_by("eddy_sleep_epoll", eddy_sleeps::many, backend_kind::epoll)}};
}

}  // namespace

benchmarks measured_benchmarks() {
    constexpr auto scheduled = asio_callback_timers::schedule_and_cancel;
    constexpr auto waited = asio_callback_timers::wait_and_cancel;
    return {compared::wall_clock,
            {cancelled("schedule_cancel", "made, set for an hour from now, cancelled, destroyed", false,
                       scheduled, eddy_timers::schedule_and_cancel),
             cancelled("schedule_cancel_deadline", "made, set for a deadline, cancelled, destroyed", true,
                       scheduled, eddy_timers::schedule_and_cancel),
             cancelled("wait_cancel", "the same for an hour from now, with a wait that is told", false,
                       waited, eddy_timers::wait_and_cancel),
             cancelled("wait_cancel_deadline", "the same for a deadline, with a wait that is told", true,
                       waited, eddy_timers::wait_and_cancel),
             fire_rate(), concurrent(10), concurrent(100), concurrent(1000), a_million()}};
}

}  // namespace bench
