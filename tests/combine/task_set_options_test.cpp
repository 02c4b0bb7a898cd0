#include "support/counted_object.hpp"
#include "support/gate.hpp"
#include "support/run_bounded.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/combine/task_set.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/detail/frame_cache.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/detail/build.hpp>
#include <eddy/runtime/sleep.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::task_set_options_test {
namespace {

using namespace std::chrono_literals;
using test::counted_object;
using test::run_bounded;

task<> nothing() {
    co_return;
}

task<> sleep_for_ever() {
    co_await sleep_for(24h);
}

task<> wait_for_ever(counted_object) {
    co_await sleep_for(24h);
}

task<> wait_for(test::gate& awaited) {
    co_await awaited;
}

/// How many run at once.
struct crowd {
    int running = 0;
    int most = 0;
    int ended = 0;
};

task<> join_crowd(crowd& joined, int yields) {
    joined.most = std::max(joined.most, ++joined.running);
    for (int at = 0; at < yields; ++at)
        co_await yield();
    --joined.running;
    ++joined.ended;
}

TEST(task_set_with_a_limit, runs_that_many_at_once_and_never_more) {
    run_bounded([]() -> task<> {
        task_set set(task_set_options().tasks_max(3));
        crowd counted_tasks;
        for (int at = 0; at < 50; ++at) {
            co_await set.spawn_when_free(join_crowd(counted_tasks, at % 5));
            EXPECT_LE(set.size(), 3U);
        }
        co_await set.join();
        EXPECT_EQ(counted_tasks.most, 3);
        EXPECT_EQ(counted_tasks.ended, 50);
    }());
}

TEST(task_set_with_a_limit, does_not_wait_where_there_is_a_place) {
    run_bounded([]() -> task<> {
        task_set set(task_set_options().tasks_max(2));
        bool has_yielded = false;
        auto other = spawn([](bool& done) -> task<> {
            done = true;
            co_return;
        }(has_yielded));
        co_await set.spawn_when_free(sleep_for_ever());
        co_await set.spawn_when_free(sleep_for_ever());
        EXPECT_FALSE(has_yielded);
        EXPECT_EQ(set.size(), 2U);
        co_await other;
    }());
}

TEST(task_set_with_a_limit, counts_what_was_spawned_at_once) {
    run_bounded([]() -> task<> {
        task_set set(task_set_options().tasks_max(1));
        test::gate ends[2];
        for (test::gate& end : ends)
            EXPECT_TRUE(set.spawn(wait_for(end)));
        EXPECT_EQ(set.size(), 2U);
        crowd counted_tasks;
        auto spawning = spawn([](task_set& full, crowd& joined) -> task<> {
            co_await full.spawn_when_free(join_crowd(joined, 0));
        }(set, counted_tasks));
        ends[0].open();
        for (int turn = 0; turn < 5; ++turn)
            co_await yield();
        EXPECT_FALSE(spawning.done()) << "two ran, and one is the limit";
        ends[1].open();
        co_await spawning;
        co_await set.join();
        EXPECT_EQ(counted_tasks.ended, 1);
    }());
}

task<> note(std::vector<int>& order, int number) {
    order.push_back(number);
    co_return;
}

task<> spawn_note(task_set& set, std::vector<int>& order, int number) {
    co_await set.spawn_when_free(note(order, number));
}

TEST(task_set_with_a_limit, serves_first_who_came_first_and_skips_who_was_dropped) {
    run_bounded([]() -> task<> {
        task_set set(task_set_options().tasks_max(1));
        test::gate end;
        set.spawn(wait_for(end));
        std::vector<int> order;
        std::vector<handle<>> spawning;
        for (int number = 0; number < 6; ++number) {
            spawning.push_back(spawn(spawn_note(set, order, number)));
            co_await yield();
        }
        spawning[0].cancel();
        spawning[3].cancel();
        spawning[5].cancel();
        end.open();
        for (const int at : {1, 2, 4})
            co_await spawning[static_cast<std::size_t>(at)];
        co_await set.join();
        EXPECT_EQ(order, (std::vector<int>{1, 2, 4}));
    }());
}

TEST(task_set_with_a_limit, loses_no_place_when_a_spawner_is_dropped_as_it_gets_one) {
    run_bounded([]() -> task<> {
        task_set set(task_set_options().tasks_max(1));
        test::gate end;
        set.spawn(wait_for(end));
        std::vector<int> order;
        auto first = spawn(spawn_note(set, order, 1));
        co_await yield();
        auto second = spawn(spawn_note(set, order, 2));
        co_await yield();
        end.open();
        co_await set.fewer_than(1);  // is told after the first was given its place, and the second, too
        first.cancel();
        second.cancel();
        EXPECT_EQ(order, (std::vector<int>{1, 2})) << "what has started runs on without its spawner";
        co_await set.spawn_when_free(note(order, 3));
        co_await set.join();
        EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
    }());
}

TEST(task_set_with_a_limit, drops_a_task_whose_wait_for_a_place_is_late) {
    run_bounded([]() -> task<> {
        std::atomic<int> alive = 0;
        task_set set(task_set_options().tasks_max(1));
        set.spawn(sleep_for_ever());
        const auto late =
            co_await as_result(with_timeout(set.spawn_when_free(wait_for_ever(counted_object(alive))), 1ms));
        EXPECT_EQ(late.has_value() ? std::error_code() : late.error(), std::errc::timed_out);
        EXPECT_EQ(alive, 0);
        EXPECT_EQ(set.size(), 1U);
        set.cancel();
        co_await set.spawn_when_free(wait_for_ever(counted_object(alive)));
        EXPECT_EQ(alive, 1);
    }());
}

TEST(task_set_with_a_limit, starts_a_task_whose_start_is_not_awaited_in_its_turn) {
    run_bounded([]() -> task<> {
        task_set set(task_set_options().tasks_max(1));
        test::gate end;
        static_cast<void>(set.spawn_when_free(wait_for(end)));
        EXPECT_EQ(set.size(), 1U);
        std::vector<int> order;
        static_cast<void>(set.spawn_when_free(note(order, 1)));
        auto second = spawn(spawn_note(set, order, 2));
        co_await yield();
        auto third = set.spawn_when_free(note(order, 3));
        static_cast<void>(set.spawn_when_free(note(order, 4)));
        EXPECT_EQ(set.size(), 1U) << "the others are in the queue";
        end.open();
        co_await second;
        co_await third;
        co_await set.join();
        EXPECT_EQ(order, (std::vector<int>{1, 2, 3, 4}));
    }());
}

TEST(task_set_with_a_limit, tells_of_a_start_or_a_refusal_that_came_before_the_wait) {
    run_bounded([]() -> task<> {
        std::atomic<int> alive = 0;
        task_set set(task_set_options().tasks_max(1));
        test::gate end;
        set.spawn(wait_for(end));
        auto started = set.spawn_when_free(wait_for_ever(counted_object(alive)));
        auto moved = std::move(started);
        auto refused = set.spawn_when_free(wait_for_ever(counted_object(alive)));
        end.open();
        for (int turn = 0; turn < 10; ++turn)
            co_await yield();
        const auto first = co_await as_result(std::move(moved));
        EXPECT_TRUE(first.has_value());
        set.close();
        EXPECT_EQ(alive, 1) << "closing drops the queue";
        const auto second = co_await as_result(std::move(refused));
        EXPECT_EQ(second.has_value() ? std::error_code() : second.error(), std::errc::operation_canceled);
    }());
}

TEST(task_set_with_a_limit, drops_a_task_whose_wait_was_moved_to_what_is_dropped_before_it_begins) {
    run_bounded([]() -> task<> {
        std::atomic<int> alive = 0;
        task_set set(task_set_options().tasks_max(1));
        test::gate end;
        set.spawn(wait_for(end));
        // The first of the race ends before the second has begun to wait.
        const auto winner =
            co_await race(nothing(), set.spawn_when_free(wait_for_ever(counted_object(alive))));
        EXPECT_EQ(winner.index(), 0U);
        EXPECT_EQ(alive, 0);
        {
            const auto never_awaited =
                race(nothing(), set.spawn_when_free(wait_for_ever(counted_object(alive))));
            EXPECT_EQ(alive, 1);
        }
        EXPECT_EQ(alive, 0);
        end.open();
        co_await set.join();
        EXPECT_EQ(set.size(), 0U) << "none of them was started";
    }());
}

TEST(task_set_with_a_limit, drops_its_queue_when_it_is_cancelled_closed_or_destroyed) {
    run_bounded([]() -> task<> {
        for (const char* const how : {"cancel", "close", "destroy"}) {
            std::atomic<int> alive = 0;
            auto set = std::make_unique<task_set>(task_set_options().tasks_max(1));
            set->spawn(sleep_for_ever());
            for (int at = 0; at < 3; ++at)
                static_cast<void>(set->spawn_when_free(wait_for_ever(counted_object(alive))));
            EXPECT_EQ(alive, 3);
            if (how == std::string_view("cancel"))
                set->cancel();
            else if (how == std::string_view("close"))
                set->close();
            else
                set.reset();
            EXPECT_EQ(alive, 0) << how;
        }
        co_return;
    }());
}

TEST(task_set_with_a_limit, passes_on_to_a_task_what_its_spawner_belongs_to) {
    run_bounded([]() -> task<> {
        task_set set(task_set_options().tasks_max(1));
        test::gate end;
        set.spawn(wait_for(end));
        auto* const context = new detail::job_context(nullptr, {});
        bool is_inherited = false;
        auto spawning = spawn([](task_set& full, detail::job_context* mine, bool& inherited) -> task<> {
            detail::resume_loop::current().running()->set_context(detail::job_context_reference(mine));
            co_await full.spawn_when_free([](detail::job_context* expected, bool& found) -> task<> {
                found = detail::resume_loop::current().running_context() == expected;
                co_return;
            }(mine, inherited));
        }(set, context, is_inherited));
        co_await yield();
        end.open();
        co_await spawning;
        co_await set.join();
        EXPECT_TRUE(is_inherited);
    }());
}

TEST(task_set_that_reports_errors, tells_of_a_task_that_failed_and_goes_on) {
    ::testing::internal::CaptureStderr();
    run_bounded([]() -> task<> {
        task_set set(task_set_options().report_errors());
        const auto fail = []() -> task<> {
            co_await yield();
            throw std::runtime_error("out of cheese");
        };
        int ended = 0;
        const auto succeed = [](int& counted) -> task<> {
            for (int turns = 0; turns < 5; ++turns)
                co_await yield();
            ++counted;
        };
        set.spawn(fail(), "cheese counter");
        set.spawn(succeed(ended));
        co_await set.join();
        EXPECT_EQ(ended, 1);
    }());
    const std::string reported = ::testing::internal::GetCapturedStderr();
    EXPECT_NE(
        reported.find("an exception left a task of a task set: cheese counter: out of cheese (spawned at "),
        std::string::npos)
        << reported;
    EXPECT_NE(reported.find("task_set_options_test.cpp:"), std::string::npos) << reported;
}

TEST(task_set_that_reports_errors, leaves_them_to_a_handler_if_there_is_one) {
    run_bounded([]() -> task<> {
        int handled = 0;
        task_set set(task_set_options().report_errors(), [&](std::exception_ptr) { ++handled; });
        set.spawn([]() -> task<> {
            throw std::runtime_error("out of cheese");
            co_return;
        }());
        co_await set.join();
        EXPECT_EQ(handled, 1);
    }());
}

TEST(task_set_with_a_limit, runs_a_million_tasks_in_constant_memory) {
    run_bounded([]() -> task<> {
        constexpr std::size_t limit = 100;
        constexpr int tasks = EDDY_SANITIZED ? 50'000 : 1'000'000;
        task_set set(task_set_options().tasks_max(limit));
        crowd counted_tasks;
        const std::int64_t before = detail::frame_cache::live_blocks();
        std::int64_t most = 0;
        for (int at = 0; at < tasks; ++at) {
            co_await set.spawn_when_free(join_crowd(counted_tasks, at % 2));
            if (at % 1000 == 0)
                most = std::max(most, detail::frame_cache::live_blocks() - before);
        }
        co_await set.join();
        EXPECT_EQ(counted_tasks.ended, tasks);
        EXPECT_GT(most, 0);
        EXPECT_LE(most, static_cast<std::int64_t>(3 * limit)) << "a frame, a job, and what it awaits";
        EXPECT_EQ(detail::frame_cache::live_blocks(), before);
    }());
}

}  // namespace
}  // namespace eddy::task_set_options_test
