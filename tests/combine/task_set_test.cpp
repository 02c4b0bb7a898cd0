#include <eddy/combine/task_set.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/run.hpp>
#include <eddy/runtime/sleep.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace eddy {
namespace {

using namespace std::chrono_literals;

/// Counts those that live.
class counted {
public:
    explicit counted(int& alive) noexcept : alive_(&alive) { ++alive; }
    counted(counted&& other) noexcept : alive_(other.alive_) { ++*alive_; }
    counted& operator=(counted&&) = delete;
    ~counted() { --*alive_; }

private:
    int* alive_;
};

task<> wait_for_ever(counted held) {
    static_cast<void>(held);
    co_await sleep_for(24h);
}

task<> yield_times(int times, int& ended) {
    for (int time = 0; time < times; ++time)
        co_await yield();
    ++ended;
}

task<> fail(const char* what) {
    co_await yield();
    throw std::runtime_error(what);
}

TEST(task_set, is_empty_at_first_and_joining_it_does_not_wait) {
    run([]() -> task<> {
        task_set set;
        EXPECT_TRUE(set.empty());
        co_await set.join();
    }());
}

TEST(task_set, runs_its_tasks_and_frees_each_as_it_ends) {
    run([]() -> task<> {
        task_set set;
        int ended = 0;
        for (int task = 0; task < 10; ++task)
            set.spawn(yield_times(task, ended));
        EXPECT_EQ(set.size(), 10U);
        co_await set.join();
        EXPECT_EQ(ended, 10);
        EXPECT_TRUE(set.empty());
    }());
}

TEST(task_set, drops_all_tasks_when_it_is_cancelled_and_can_go_on) {
    run([]() -> task<> {
        int alive = 0;
        task_set set;
        for (int task = 0; task < 5; ++task)
            set.spawn(wait_for_ever(counted(alive)));
        co_await yield();
        set.cancel();
        EXPECT_EQ(alive, 0);
        EXPECT_TRUE(set.empty());
        int ended = 0;
        set.spawn(yield_times(1, ended));
        co_await set.join();
        EXPECT_EQ(ended, 1);
    }());
}

TEST(task_set, drops_all_tasks_when_it_is_destroyed) {
    run([]() -> task<> {
        int alive = 0;
        {
            task_set set;
            set.spawn(wait_for_ever(counted(alive)));
            set.spawn(wait_for_ever(counted(alive)));
            co_await yield();
            EXPECT_EQ(alive, 2);
        }
        EXPECT_EQ(alive, 0);
    }());
}

TEST(task_set, gives_errors_to_its_handler) {
    run([]() -> task<> {
        std::vector<std::string> errors;
        task_set set([&errors](std::exception_ptr error) {
            try {
                std::rethrow_exception(std::move(error));
            } catch (const std::exception& caught) {
                errors.emplace_back(caught.what());
            }
        });
        set.spawn(fail("one"));
        set.spawn(fail("two"));
        co_await set.join();
        EXPECT_EQ(errors, (std::vector<std::string>{"one", "two"}));
    }());
}

TEST(task_set_death, ends_the_program_at_an_error_without_a_handler_and_names_the_task) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_DEATH(run([]() -> task<> {
                     task_set set;
                     set.spawn(fail("unheard"), "the culprit");
                     co_await set.join();
                 }()),
                 "the culprit: unheard");
}

TEST(task_set, lets_a_task_cancel_the_set_it_is_in) {
    run([]() -> task<> {
        int alive = 0;
        bool went_on = false;
        task_set set;
        set.spawn(wait_for_ever(counted(alive)));
        set.spawn([](task_set& own, int& count, bool& after) -> task<> {
            const counted here(count);
            co_await yield();
            own.cancel();
            co_await yield();  // where it is destroyed
            after = true;
        }(set, alive, went_on));
        for (int turn = 0; turn < 5; ++turn)
            co_await yield();
        EXPECT_EQ(alive, 0);
        EXPECT_FALSE(went_on);
    }());
}

TEST(task_set, lets_a_task_destroy_the_set_it_is_in) {
    run([]() -> task<> {
        int alive = 0;
        auto set = std::make_unique<task_set>();
        set->spawn(wait_for_ever(counted(alive)));
        set->spawn([](std::unique_ptr<task_set>& own, int& count) -> task<> {
            const counted here(count);
            co_await yield();
            own.reset();
        }(set, alive));
        for (int turn = 0; turn < 5; ++turn)
            co_await yield();
        EXPECT_EQ(set, nullptr);
        EXPECT_EQ(alive, 0);
    }());
}

TEST(task_set, lets_an_error_handler_destroy_the_set) {
    run([]() -> task<> {
        int alive = 0;
        std::optional<task_set> set;
        int errors = 0;
        set.emplace([&](const std::exception_ptr&) {
            ++errors;
            set->cancel();
        });
        set->spawn(wait_for_ever(counted(alive)));
        set->spawn(fail("first"));
        co_await set->join();
        EXPECT_EQ(errors, 1);
        EXPECT_EQ(alive, 0);
        EXPECT_EQ(set->size(), 0U);
    }());
}

TEST(task_set, says_when_fewer_than_a_number_are_left) {
    run([]() -> task<> {
        task_set set;
        int ended = 0;
        for (int task = 1; task <= 6; ++task)
            set.spawn(yield_times(task * 3, ended));
        co_await set.fewer_than(4);
        EXPECT_EQ(ended, 3);
        co_await set.join();
        EXPECT_EQ(ended, 6);
    }());
}

TEST(task_set, goes_on_when_a_join_is_dropped_or_late) {
    run([]() -> task<> {
        int alive = 0;
        task_set set;
        set.spawn(wait_for_ever(counted(alive)));
        const auto late = co_await as_result(with_timeout(set.join(), 1ms));
        EXPECT_FALSE(late.has_value());
        if (!late) {
            EXPECT_EQ(late.error(), std::errc::timed_out);
        }
        EXPECT_EQ(alive, 1);
        auto joining = spawn([](task_set& joined) -> task<> { co_await joined.join(); }(set));
        co_await yield();
        joining.cancel();
        EXPECT_EQ(set.size(), 1U);
        set.cancel();
        const auto in_time = co_await as_result(with_timeout(set.join(), 1ms));
        EXPECT_TRUE(in_time.has_value());
    }());
}

}  // namespace
}  // namespace eddy
