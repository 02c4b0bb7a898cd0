#include "support/gate.hpp"
#include "support/run_bounded.hpp"

#include <eddy/combine/task_set.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/sleep.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <exception>
#include <expected>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::task_set_test {
namespace {

using namespace std::chrono_literals;
using test::run_bounded;

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

std::error_code error_of(const std::expected<void, std::error_code>& result) {
    return result.has_value() ? std::error_code() : result.error();
}

task<> sleep_for_ever() {
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
    run_bounded([]() -> task<> {
        task_set set;
        EXPECT_TRUE(set.empty());
        co_await set.join();
    }());
}

TEST(task_set, runs_its_tasks_and_frees_each_as_it_ends) {
    run_bounded([]() -> task<> {
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
    run_bounded([]() -> task<> {
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
    run_bounded([]() -> task<> {
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
    run_bounded([]() -> task<> {
        std::vector<std::string> errors;
        task_set set([&errors](std::exception_ptr error) {
            try {
                std::rethrow_exception(std::move(error));
            } catch (const std::exception& caught) {
                errors.emplace_back(caught.what());
            }
        });
        set.spawn(fail("one"));
        co_await yield();
        set.spawn(fail("two"));
        co_await set.join();
        EXPECT_EQ(errors, (std::vector<std::string>{"one", "two"}));
    }());
}

TEST(task_set_death, ends_the_program_at_an_error_without_a_handler_and_names_the_task) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_DEATH(run_bounded([]() -> task<> {
                     task_set set;
                     set.spawn(fail("unheard"), "the culprit");
                     co_await set.join();
                 }()),
                 "the culprit: unheard");
}

TEST(task_set, lets_a_task_cancel_the_set_it_is_in) {
    run_bounded([]() -> task<> {
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
    run_bounded([]() -> task<> {
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

TEST(task_set, lets_an_error_handler_cancel_the_set) {
    run_bounded([]() -> task<> {
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

/// Lets go of what it holds when it is destroyed.
class last_owner {
public:
    explicit last_owner(std::shared_ptr<task_set> owned) noexcept : owned_(std::move(owned)) {}

private:
    std::shared_ptr<task_set> owned_;
};

TEST(task_set, lets_an_error_handler_destroy_the_set) {
    run_bounded([]() -> task<> {
        int alive = 0;
        std::string heard;
        std::optional<task_set> set;
        set.emplace([&heard, &set, text = std::string("of the handler")](const std::exception_ptr&) {
            set.reset();
            heard = text;  // the handler itself outlives the set
        });
        set->spawn(wait_for_ever(counted(alive)));
        set->spawn(fail("first"));
        co_await set->join();
        EXPECT_EQ(heard, "of the handler");
        EXPECT_EQ(alive, 0);
        EXPECT_FALSE(set.has_value());
    }());
}

TEST(task_set, lets_the_end_of_a_task_destroy_the_set) {
    run_bounded([]() -> task<> {
        int alive = 0;
        for (const bool is_failing : {false, true}) {
            auto set = std::make_shared<task_set>([](const std::exception_ptr&) { ADD_FAILURE(); });
            set->spawn(wait_for_ever(counted(alive)));
            // Its parameter is gone with its frame, after it has ended.
            set->spawn([](last_owner, bool fails) -> task<> {
                co_await yield();
                if (fails)
                    throw std::runtime_error("unheard");
            }(last_owner(set), is_failing));
            const std::weak_ptr<task_set> watched = set;
            set.reset();
            EXPECT_FALSE(watched.expired());
            for (int turn = 0; turn < 3; ++turn)
                co_await yield();
            EXPECT_TRUE(watched.expired());
            EXPECT_EQ(alive, 0);
        }
    }());
}

TEST(task_set, lets_a_task_that_is_dropped_destroy_the_set) {
    run_bounded([]() -> task<> {
        int alive = 0;
        auto set = std::make_shared<task_set>();
        task_set& cancelled = *set;
        set->spawn(wait_for_ever(counted(alive)));
        set->spawn([](last_owner) -> task<> { co_await sleep_for(24h); }(last_owner(set)));
        set->spawn(wait_for_ever(counted(alive)));
        set.reset();
        co_await yield();
        EXPECT_EQ(alive, 2);
        cancelled.cancel();
        EXPECT_EQ(alive, 0);
    }());
}

TEST(task_set, lets_a_task_close_the_set_it_is_in) {
    run_bounded([]() -> task<> {
        task_set set;
        bool went_on = false;
        set.spawn([](task_set& own, bool& after) -> task<> {
            co_await yield();
            own.close();
            co_await yield();
            after = !own.spawn(sleep_for_ever());
        }(set, went_on));
        co_await set.join();
        EXPECT_TRUE(set.closed());
        EXPECT_TRUE(went_on);
    }());
}

TEST(task_set, refuses_what_the_tasks_of_a_destroyed_set_spawn) {
    run_bounded([]() -> task<> {
        int alive = 0;
        struct spawner {
            spawner(task_set& to, int& count) noexcept : set(to), counter(count) {}
            spawner(const spawner&) = delete;
            spawner& operator=(const spawner&) = delete;
            ~spawner() { EXPECT_FALSE(set.spawn(wait_for_ever(counted(counter)))); }
            task_set& set;
            int& counter;
        };
        {
            task_set set;
            set.spawn([](task_set& own, int& count) -> task<> {
                const spawner local(own, count);
                co_await sleep_for(24h);
            }(set, alive));
            co_await yield();
        }
        EXPECT_EQ(alive, 0);
    }());
}

TEST(task_set_death, ends_the_program_when_an_error_handler_throws) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_DEATH(run_bounded([]() -> task<> {
                     task_set set([](const std::exception_ptr&) { throw std::logic_error("clumsy"); });
                     set.spawn(fail("heard"), "the culprit");
                     co_await set.join();
                 }()),
                 "error handler of a task set.*the culprit: clumsy");
}

TEST(task_set, says_when_fewer_than_a_number_are_left) {
    run_bounded([]() -> task<> {
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
    run_bounded([]() -> task<> {
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

task<> join_and_count(task_set& joined, int& count) {
    co_await joined.join();
    ++count;
}

task<> note_when_fewer(task_set& watched, std::size_t size, std::vector<std::size_t>& noted) {
    co_await watched.fewer_than(size);
    EXPECT_LT(watched.size(), size);
    noted.push_back(size);
}

TEST(task_set, is_joined_by_any_number_of_tasks_and_a_dropped_one_does_not_matter) {
    run_bounded([]() -> task<> {
        task_set set;
        test::gate end;
        set.spawn([](test::gate& awaited) -> task<> { co_await awaited; }(end));
        int joined = 0;
        std::vector<handle<>> joiners;
        for (int at = 0; at < 5; ++at)
            joiners.push_back(spawn(join_and_count(set, joined)));
        co_await yield();
        joiners[0].cancel();
        joiners[2].cancel();
        joiners[4].cancel();
        end.open();
        co_await set.join();
        co_await joiners[1];
        co_await joiners[3];
        EXPECT_EQ(joined, 2);
    }());
}

TEST(task_set, tells_each_waiter_when_there_are_few_enough_for_it) {
    run_bounded([]() -> task<> {
        task_set set;
        int ended = 0;
        for (int task = 1; task <= 6; ++task)
            set.spawn(yield_times(task * 3, ended));
        std::vector<std::size_t> noted;
        std::vector<handle<>> waiting;
        for (const std::size_t size : {2U, 5U, 6U, 1U, 5U})
            waiting.push_back(spawn(note_when_fewer(set, size, noted)));
        co_await yield();
        waiting[2].cancel();
        co_await set.join();
        for (const int at : {0, 1, 3, 4})
            co_await waiting[static_cast<std::size_t>(at)];
        EXPECT_EQ(noted, (std::vector<std::size_t>{5, 5, 2, 1}));
    }());
}

TEST(task_set, that_is_destroyed_ends_the_waits_of_other_tasks) {
    run_bounded([]() -> task<> {
        auto set = std::make_unique<task_set>(task_set_options().tasks_max(1));
        set->spawn(sleep_for_ever());
        int joined = 0;
        auto joining = spawn(join_and_count(*set, joined));
        auto spawning = spawn([](task_set& full) -> task<bool> {
            const auto result = co_await as_result(full.spawn_when_free(sleep_for_ever()));
            co_return !result.has_value() && result.error() == std::errc::operation_canceled;
        }(*set));
        co_await yield();
        set.reset();
        co_await joining;
        EXPECT_EQ(joined, 1);
        EXPECT_TRUE(co_await spawning);
    }());
}

TEST(closed_task_set, takes_no_more_tasks_and_lets_those_that_run_end) {
    run_bounded([]() -> task<> {
        int alive = 0;
        int ended = 0;
        task_set set;
        EXPECT_TRUE(set.spawn(yield_times(3, ended)));
        EXPECT_FALSE(set.closed());
        set.close();
        set.close();
        EXPECT_TRUE(set.closed());
        EXPECT_FALSE(set.spawn(wait_for_ever(counted(alive))));
        const auto refused = co_await as_result(set.spawn_when_free(wait_for_ever(counted(alive))));
        EXPECT_EQ(error_of(refused), std::errc::operation_canceled);
        EXPECT_EQ(alive, 0);
        co_await set.join();
        EXPECT_EQ(ended, 1);
    }());
}

TEST(closed_task_set, ends_the_waits_for_a_place_and_for_room) {
    run_bounded([]() -> task<> {
        const auto is_canceled = [](const std::expected<void, std::error_code>& result) {
            return !result.has_value() && result.error() == std::errc::operation_canceled;
        };
        for (const bool is_cancelled_only : {false, true}) {
            int alive = 0;
            task_set set(task_set_options().tasks_max(1));
            set.spawn(sleep_for_ever());
            auto spawning =
                spawn([](task_set& full, int& count) -> task<std::expected<void, std::error_code>> {
                    co_return co_await as_result(full.spawn_when_free(wait_for_ever(counted(count))));
                }(set, alive));
            auto waiting = spawn([](task_set& full) -> task<std::expected<void, std::error_code>> {
                co_return co_await as_result(full.fewer_than(1));
            }(set));
            co_await yield();
            if (is_cancelled_only)
                set.cancel();
            else
                set.close();
            const auto spawned = co_await spawning;
            EXPECT_TRUE(is_canceled(spawned));
            const auto waited = co_await waiting;
            EXPECT_EQ(is_canceled(waited), !is_cancelled_only) << "a cancelled set has room";
            EXPECT_EQ(alive, 0);
            EXPECT_EQ(set.size(), is_cancelled_only ? 0U : 1U);
        }
    }());
}

TEST(closed_task_set, is_drained_for_some_time_and_then_cut_off) {
    run_bounded([]() -> task<> {
        int alive = 0;
        int ended = 0;
        task_set sessions;
        sessions.spawn(yield_times(3, ended));
        sessions.spawn(wait_for_ever(counted(alive)));

        sessions.close();
        const auto drained = co_await as_result(with_timeout(sessions.join(), 5ms));
        sessions.cancel();

        EXPECT_EQ(error_of(drained), std::errc::timed_out);
        EXPECT_EQ(ended, 1);
        EXPECT_EQ(alive, 0);
        EXPECT_TRUE(sessions.empty());
    }());
}

}  // namespace
}  // namespace eddy::task_set_test
