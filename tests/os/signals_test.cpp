#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/os/signals.hpp>
#include <eddy/runtime/runtime.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace eddy::signals_test {
namespace {

using namespace std::chrono_literals;

TEST(signal_set, gives_a_signal_that_came_before_it_was_awaited) {
    run([]() -> task<> {
        signal_set signals({SIGUSR1, SIGUSR2});
        ::kill(::getpid(), SIGUSR2);
        EXPECT_EQ(co_await signals.wait(), SIGUSR2);
    }());
}

TEST(signal_set, wakes_the_task_that_waits_for_a_signal) {
    run([]() -> task<> {
        signal_set signals({SIGUSR1});
        auto waiting =
            spawn([](signal_set& awaited) -> task<int> { co_return co_await awaited.wait(); }(signals));
        for (int turn = 0; turn < 3; ++turn)
            co_await yield();
        EXPECT_FALSE(waiting.done());
        ::kill(::getpid(), SIGUSR1);
        EXPECT_EQ(co_await waiting, SIGUSR1);
    }());
}

TEST(signal_set, gives_one_signal_after_the_other) {
    run([]() -> task<> {
        signal_set signals({SIGUSR1, SIGUSR2});
        for (const int number : {SIGUSR1, SIGUSR2, SIGUSR1}) {
            ::kill(::getpid(), number);
            EXPECT_EQ(co_await signals.wait(), number);
        }
    }());
}

TEST(signal_set, keeps_a_signal_for_the_next_wait_when_one_is_dropped) {
    run([]() -> task<> {
        signal_set signals({SIGUSR1});
        const auto late = co_await as_result(with_timeout(signals.wait(), 1ms));
        EXPECT_FALSE(late.has_value());
        if (!late) {
            EXPECT_EQ(late.error(), std::errc::timed_out);
        }
        auto waiting = spawn([](signal_set& awaited) -> task<> { co_await awaited.wait(); }(signals));
        co_await yield();
        waiting.cancel();
        ::kill(::getpid(), SIGUSR1);
        EXPECT_EQ(co_await signals.wait(), SIGUSR1);
    }());
}

TEST(signal_set, refuses_what_never_comes) {
    run([]() -> task<> {
        for (const int number : {0, -1, 1000, SIGKILL, SIGSTOP})
            EXPECT_THROW(signal_set({SIGUSR1, number}), std::system_error) << number;
        co_return;
    }());
}

TEST(signals, give_one_after_the_other_without_end) {
    run([]() -> task<> {
        auto arriving = signals({SIGUSR1, SIGUSR2});
        for (const int number : {SIGUSR2, SIGUSR1, SIGUSR2}) {
            ::kill(::getpid(), number);
            EXPECT_EQ(co_await arriving.next(), number);
        }
    }());
}

TEST(a_signal, is_waited_for_once) {
    run([]() -> task<> {
        auto waiting = signal(SIGUSR1);
        ::kill(::getpid(), SIGUSR1);  // it is blocked before the wait has begun
        EXPECT_EQ(co_await std::move(waiting), SIGUSR1);
    }());
}

TEST(signal_set, takes_signals_that_no_thread_of_the_runtime_does) {
    runtime several(runtime_options().workers(3));
    several.run([]() -> task<> {
        signal_set signals({SIGUSR1});
        for (int time = 0; time < 20; ++time) {
            ::kill(::getpid(), SIGUSR1);
            EXPECT_EQ(co_await signals.wait(), SIGUSR1);
        }
    }());
}

TEST(signal_set_death, leaves_signals_blocked_when_it_is_destroyed) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            run([]() -> task<> {
                {
                    const signal_set signals({SIGTERM});
                }
                ::kill(::getpid(), SIGTERM);
                co_await yield();
            }());
            ::_exit(7);
        },
        testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace eddy::signals_test
