// Signals, raised by the thread that waits for them.

#include "support/scenario_suite.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/combine/when_all.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/os/signals.hpp>
#include <eddy/runtime/sleep.hpp>

#include <chrono>
#include <csignal>
#include <ctime>
#include <system_error>

namespace eddy::test::signal_test {
namespace {

constexpr auto short_wait = std::chrono::milliseconds(1);
constexpr auto long_wait = std::chrono::seconds(30);

/// Takes what a dropped run has raised and nobody has taken, which stays with the thread.
void take_pending_signals() {
    sigset_t ours;
    sigemptyset(&ours);
    sigaddset(&ours, SIGUSR1);
    sigaddset(&ours, SIGUSR2);
    const timespec at_once{0, 0};
    while (::sigtimedwait(&ours, nullptr, &at_once) > 0) {
    }
}

testing::scenario_options without_pending_signals() {
    return suite_options().between(&take_pending_signals);
}

task<> takes_what_was_raised() {
    signal_set signals({SIGUSR1, SIGUSR2});
    ::raise(SIGUSR2);
    const int taken = co_await signals.wait();
    require(taken == SIGUSR2, "another signal");
}

task<> await_one(signal_set& signals, int expected) {
    const int taken = co_await signals.wait();
    require(taken == expected, "another signal");
}

task<> raise_later(int signal) {
    co_await yield();
    co_await sleep_for(short_wait);
    ::raise(signal);
}

task<> is_woken_by_a_signal() {
    signal_set signals({SIGUSR1});
    co_await when_all(await_one(signals, SIGUSR1), raise_later(SIGUSR1));
}

task<> has_two_sets() {
    signal_set ones({SIGUSR1});
    signal_set twos({SIGUSR2});
    co_await when_all(await_one(ones, SIGUSR1), await_one(twos, SIGUSR2), raise_later(SIGUSR2),
                      raise_later(SIGUSR1));
}

task<> gives_up_and_takes_it_later() {
    signal_set signals({SIGUSR1});
    const auto late = co_await as_result(with_timeout(signals.wait(), short_wait));
    require_error(late, std::errc::timed_out, "nobody has raised it");
    ::raise(SIGUSR1);
    const int taken = co_await with_timeout(signals.wait(), long_wait);
    require(taken == SIGUSR1, "another signal");
}

task<> races_a_signal_and_a_timer() {
    signal_set signals({SIGUSR1});
    const auto timer = co_await race(signals.wait(), sleep_for(short_wait));
    require(timer.index() == 1, "nobody has raised it");
    ::raise(SIGUSR1);
    const auto signal = co_await race(signals.wait(), sleep_for(long_wait));
    require(signal.index() == 0, "the signal was lost");
}

const scenario_suite listed({
    {"a_signal_that_was_raised", &takes_what_was_raised, without_pending_signals()},
    {"a_signal_that_comes_later", &is_woken_by_a_signal, without_pending_signals()},
    {"two_sets_of_signals", &has_two_sets, without_pending_signals()},
    {"a_wait_for_a_signal_that_is_given_up", &gives_up_and_takes_it_later, without_pending_signals()},
    {"a_race_of_a_signal_and_a_timer", &races_a_signal_and_a_timer, without_pending_signals()},
});

}  // namespace
}  // namespace eddy::test::signal_test
