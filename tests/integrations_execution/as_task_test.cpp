#include "integrations_execution/senders.hpp"
#include "support/run_bounded.hpp"
#include "support/tracked.hpp"

#include <eddy/combine/shield.hpp>
#include <eddy/combine/when_all.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/integrations/execution.hpp>
#include <eddy/runtime/offload.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/testing/drop_everywhere.hpp>
#include <eddy/testing/fail_allocation_everywhere.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <exception>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>

namespace eddy::as_task_test {
namespace {

using namespace std::chrono_literals;
namespace standard = execution::detail::standard;
using execution::as_sender;
using execution::as_task;
using standard::set_error_t;
using standard::set_stopped_t;
using standard::set_value_t;
using test::held_completion;
using test::held_sender;
using test::sender_with;

TEST(a_sender_as_a_task, returns_what_the_sender_completes_with) {
    test::run_bounded([]() -> task<> {
        EXPECT_EQ(co_await as_task(
                      sender_with<set_value_t(int)>([](auto to) { standard::set_value(std::move(to), 5); })),
                  5);
        co_await as_task(sender_with<set_value_t()>([](auto to) { standard::set_value(std::move(to)); }));
        const auto both = co_await as_task(sender_with<set_value_t(int, std::string)>(
            [](auto to) { standard::set_value(std::move(to), 1, std::string("one")); }));
        EXPECT_EQ(both, std::tuple(1, std::string("one")));
    }());
}

TEST(a_sender_as_a_task, throws_what_the_sender_fails_with) {
    test::run_bounded([]() -> task<> {
        auto exception = sender_with<set_value_t(), set_error_t(std::exception_ptr)>([](auto to) {
            standard::set_error(std::move(to), std::make_exception_ptr(std::runtime_error("no")));
        });
        EXPECT_THROW(co_await as_task(exception), std::runtime_error);
        auto number = sender_with<set_value_t(), set_error_t(int)>(
            [](auto to) { standard::set_error(std::move(to), 3); });
        EXPECT_THROW(co_await as_task(number), int);
        auto code = sender_with<set_value_t(), set_error_t(std::error_code)>([](auto to) {
            standard::set_error(std::move(to), std::make_error_code(std::errc::broken_pipe));
        });
        try {
            co_await as_task(code);
            ADD_FAILURE() << "did not throw";
        } catch (const std::system_error& error) {
            EXPECT_EQ(error.code(), std::errc::broken_pipe);
        }
    }());
}

TEST(a_sender_that_stops_by_itself, is_an_operation_that_was_canceled) {
    test::run_bounded([]() -> task<> {
        auto stopped = sender_with<set_value_t(), set_stopped_t()>(
            [](auto to) { standard::set_stopped(std::move(to)); });
        try {
            co_await as_task(stopped);
            ADD_FAILURE() << "did not throw";
        } catch (const std::system_error& error) {
            EXPECT_EQ(error.code(), std::errc::operation_canceled);
        }
    }());
}

TEST(a_sender_that_completes_on_another_thread, resumes_the_task_on_its_own) {
    test::run_bounded([]() -> task<> {
        const auto home = std::this_thread::get_id();
        for (int round = 0; round < 50; ++round) {
            std::thread other;
            const int value =
                co_await as_task(sender_with<set_value_t(int)>([&other]<class Receiver>(Receiver to) {
                    other = std::thread(
                        [to = std::move(to)]() mutable { standard::set_value(std::move(to), 9); });
                }));
            EXPECT_EQ(value, 9);
            EXPECT_EQ(std::this_thread::get_id(), home);
            other.join();
        }
    }());
}

TEST(the_environment_of_an_awaited_sender, has_the_scheduler_of_the_awaiting_worker) {
    test::run_bounded([]() -> task<> {
        const auto found = co_await as_task(sender_with<set_value_t(execution::scheduler)>([](auto to) {
            auto scheduler = standard::get_scheduler(standard::get_env(to));
            standard::set_value(std::move(to), scheduler);
        }));
        EXPECT_EQ(found, execution::scheduler::this_worker());
        co_await as_task(standard::schedule(found));
    }());
}

task<> awaits(held_completion& by) {
    const test::tracked local;
    co_await as_task(held_sender(by));
}

TEST(a_drop, requests_the_sender_to_stop_and_is_over_with_it) {
    test::run_bounded([]() -> task<> {
        held_completion by;
        auto waiting = spawn(awaits(by));
        co_await yield();
        EXPECT_TRUE(by.is_started());
        EXPECT_EQ(by.operations(), 1);
        waiting.cancel();
        EXPECT_TRUE(by.stop_requested());
        EXPECT_EQ(by.operations(), 0);
    }());
    test::tracked::expect_none();
}

TEST(a_drop, leaves_an_operation_that_goes_on_alone_until_it_has_completed) {
    held_completion by(held_completion::when_stopped::goes_on);
    test::run_bounded([](held_completion& held) -> task<> {
        auto waiting = spawn(awaits(held));
        co_await yield();
        waiting.cancel();
        test::tracked::expect_none();
        EXPECT_TRUE(held.stop_requested());
        EXPECT_EQ(held.operations(), 1);
    }(by));
    // Even after the runtime.
    std::thread([&by] { by.complete(1); }).join();
    EXPECT_EQ(by.operations(), 0);
}

TEST(a_drop, of_a_task_that_has_its_result_requests_nothing) {
    test::run_bounded([]() -> task<> {
        held_completion by;
        auto waiting = spawn(awaits(by));
        co_await yield();
        by.complete(1);
        waiting.cancel();
        EXPECT_FALSE(by.stop_requested());
        EXPECT_EQ(by.operations(), 0);
    }());
    test::tracked::expect_none();
}

TEST(a_drop, races_with_a_completion_on_another_thread) {
    test::run_bounded([]() -> task<> {
        for (int round = 0; round < 100; ++round) {
            held_completion by(held_completion::when_stopped::goes_on);
            auto waiting = spawn(awaits(by));
            co_await yield();
            std::thread other([&by] { by.complete(1); });
            waiting.cancel();
            other.join();
            EXPECT_EQ(by.operations(), 0);
        }
    }());
    test::tracked::expect_none();
}

TEST(a_drop_that_meets_a_shield, waits_for_the_sender) {
    test::run_bounded([]() -> task<> {
        int ended = 0;
        std::thread other;
        const auto shielded = [](std::thread& by, int& ends) -> task<> {
            co_await shield([](std::thread& thread, int& count) -> task<> {
                co_await as_task(sender_with<set_value_t()>([&thread]<class Receiver>(Receiver to) {
                    thread =
                        std::thread([to = std::move(to)]() mutable { standard::set_value(std::move(to)); });
                }));
                ++count;
            }(by, ends));
        };
        {
            auto waiting = spawn(shielded(other, ended));
            co_await yield();
            while (!other.joinable())
                co_await yield();
        }
        EXPECT_EQ(ended, 1);
        other.join();
    }());
}

TEST(a_task_that_goes_to_and_fro, is_itself) {
    test::run_bounded([]() -> task<> {
        const auto work = []() -> task<std::string> {
            co_await sleep_for(1ms);
            co_return "there and back";
        };
        EXPECT_EQ(co_await as_task(as_sender(work())), "there and back");
    }());
}

task<> goes_to_and_fro() {
    const test::tracked local;
    const auto work = []() -> task<int> {
        const test::tracked inner;
        co_await yield();
        co_await sleep_for(1us);
        co_return 4;
    };
    auto here = as_task(as_sender(work()));
    auto there = as_task(standard::schedule(execution::scheduler::this_worker()));
    co_await when_all(std::move(here), std::move(there));
}

TEST(a_sender_that_is_dropped_everywhere, leaves_nothing_behind) {
    const auto found = testing::drop_everywhere(&goes_to_and_fro);
    EXPECT_TRUE(found) << found.message();
    EXPECT_GT(found.points(), 2u);
    test::tracked::expect_none();
}

}  // namespace
}  // namespace eddy::as_task_test
