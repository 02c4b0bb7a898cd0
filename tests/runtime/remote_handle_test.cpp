#include "support/counted_object.hpp"
#include "support/run_bounded.hpp"
#include "support/seed.hpp"
#include "support/turns.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/sleep.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace eddy::remote_handle_test {
namespace {

using namespace std::chrono_literals;
using test::counted_object;
using test::run_bounded;

runtime_options two_workers() {
    return runtime_options().workers(2);
}

task<std::thread::id> thread_here() {
    co_return std::this_thread::get_id();
}
task<int> number(int value) {
    co_return value;
}
task<std::unique_ptr<int>> owned(int value) {
    co_return std::make_unique<int>(value);
}
task<int> thrower() {
    co_await sleep_for(1us);
    throw std::runtime_error("no");
}
task<> sleep_for_ever(counted_object) {
    co_await sleep_for(24h);
}

/// Comes back once worker `index` has taken all messages that were sent to it before.
task<> settled(std::size_t index) {
    auto last = runtime::current().spawn_on(index, number(0));
    co_await last;
}

TEST(remote_task, runs_on_the_named_worker) {
    const auto main = []() -> task<> {
        auto there = runtime::current().spawn_on(1, thread_here());
        auto here = runtime::current().spawn_on(0, thread_here());
        EXPECT_NE(co_await there, std::this_thread::get_id());
        EXPECT_EQ(co_await here, std::this_thread::get_id());
    };
    run_bounded(main(), two_workers());
}

TEST(remote_task, brings_its_result_home) {
    const auto main = []() -> task<> {
        auto first = runtime::current().spawn_on(1, owned(5));
        const auto value = co_await first;
        EXPECT_EQ(*value, 5);
        auto second = runtime::current().spawn_on(1, test::turns(1));
        co_await second;
        EXPECT_TRUE(second.done());
    };
    run_bounded(main(), two_workers());
}

TEST(a_function_for_another_worker, is_called_there_and_the_task_that_it_gives_runs_there) {
    const auto main = []() -> task<> {
        std::thread::id called_on;
        const auto requested = [&called_on] {
            called_on = std::this_thread::get_id();
            return thread_here();
        };
        auto remote = runtime::current().spawn_on(1, requested);
        const auto ran_on = co_await remote;
        EXPECT_NE(called_on, std::this_thread::get_id());
        EXPECT_EQ(ran_on, called_on);
    };
    run_bounded(main(), two_workers());
}

TEST(a_function_for_another_worker, may_give_a_value_or_nothing_without_a_task) {
    const auto main = []() -> task<> {
        auto value = runtime::current().spawn_on(1, [] { return std::make_unique<int>(5); });
        const auto given = co_await value;
        EXPECT_EQ(*given, 5);
        bool has_been_called = false;
        const auto noting = [&has_been_called] { has_been_called = true; };
        auto nothing = runtime::current().spawn_on(1, noting);
        co_await nothing;
        EXPECT_TRUE(has_been_called);
    };
    run_bounded(main(), two_workers());
}

TEST(a_function_for_another_worker, may_throw_and_is_heard_of_at_home) {
    const auto main = []() -> task<std::string> {
        auto remote = runtime::current().spawn_on(1, []() -> int { throw std::runtime_error("no"); });
        try {
            co_await remote;
        } catch (const std::runtime_error& caught) {
            co_return caught.what();
        }
        co_return "nothing thrown";
    };
    EXPECT_EQ(run_bounded(main(), two_workers()), "no");
}

TEST(a_function_for_another_worker, lives_until_its_task_is_gone_and_no_longer) {
    std::atomic<int> living = 0;
    const auto main = [](std::atomic<int>& count) -> task<> {
        auto owner = [owned = counted_object(count)] { return sleep_for(24h); };
        auto remote = runtime::current().spawn_on(1, std::move(owner));
        co_await settled(1);
        EXPECT_EQ(count, 1);
        co_await remote.cancel();
        EXPECT_EQ(count, 0);
    };
    run_bounded(main(living), two_workers());
}

TEST(a_function_for_another_worker, is_gone_without_a_call_if_it_is_dropped_before) {
    std::atomic<int> living = 0;
    std::atomic<int> calls = 0;
    const auto main = [](std::atomic<int>& count, std::atomic<int>& called) -> task<> {
        for (int round = 0; round < 200; ++round) {
            auto counting = [owned = counted_object(count), &called] { ++called; };
            auto remote = runtime::current().spawn_on(0, std::move(counting));
            co_await remote.cancel();
            EXPECT_EQ(count, 0);
        }
        EXPECT_EQ(called, 0);
    };
    run_bounded(main(living, calls), two_workers());
}

TEST(remote_task, throws_at_home) {
    const auto main = []() -> task<std::string> {
        auto remote = runtime::current().spawn_on(1, thrower());
        try {
            co_await remote;
        } catch (const std::runtime_error& caught) {
            co_return caught.what();
        }
        co_return "nothing thrown";
    };
    EXPECT_EQ(run_bounded(main(), two_workers()), "no");
}

TEST(remote_task, is_dropped_with_its_handle) {
    std::atomic<int> living = 0;
    const auto main = [](std::atomic<int>& count) -> task<> {
        {
            auto dropped = runtime::current().spawn_on(1, sleep_for_ever(counted_object(count)));
            co_await settled(1);
            EXPECT_EQ(count, 1);
        }
        co_await settled(1);
        EXPECT_EQ(count, 0);
    };
    run_bounded(main(living), two_workers());
}

TEST(remote_task, is_gone_when_its_cancellation_was_awaited) {
    std::atomic<int> living = 0;
    const auto main = [](std::atomic<int>& count) -> task<> {
        for (int round = 0; round < 200; ++round) {
            auto cancelled = runtime::current().spawn_on(1, sleep_for_ever(counted_object(count)));
            if (round % 2 == 0)
                co_await settled(1);
            co_await cancelled.cancel();
            EXPECT_EQ(count, 0);
            EXPECT_TRUE(cancelled.done());
            bool was_cancelled = false;
            try {
                co_await cancelled;
            } catch (const std::system_error& caught) {
                was_cancelled = caught.code() == std::errc::operation_canceled;
            }
            EXPECT_TRUE(was_cancelled);
        }
    };
    run_bounded(main(living), two_workers());
}

TEST(remote_task, that_has_ended_may_be_cancelled) {
    const auto main = []() -> task<> {
        auto ended = runtime::current().spawn_on(1, number(1));
        co_await test::turns_until([&ended] { return ended.done(); });
        co_await ended.cancel();
        EXPECT_EQ(co_await ended, 1);
    };
    run_bounded(main(), two_workers());
}

TEST(remote_task, runs_on_when_it_is_detached) {
    std::promise<void> ran;
    auto has_run = ran.get_future();
    const auto work = [](std::promise<void>& done) -> task<> {
        co_await sleep_for(1ms);
        done.set_value();
    };
    const auto main = [](auto remote, std::promise<void>& done, std::future<void>& waited) -> task<> {
        runtime::current().spawn_on(1, remote(done)).detach();
        co_await test::turns_until([&waited] { return waited.wait_for(0s) == std::future_status::ready; });
    };
    run_bounded(main(work, ran, has_run), two_workers());
}

TEST(remote_task, starts_although_its_spawner_ends_at_once) {
    const test::time_bound bound;
    std::promise<void> ran;
    const auto work = [](std::promise<void>& done) -> task<> {
        done.set_value();
        co_return;
    };
    const auto main = [](auto remote, std::promise<void>& done) -> task<> {
        runtime::current().spawn_on(1, remote(done)).detach();
        co_return;
    };
    runtime made(two_workers());
    made.run(main(work, ran));
    ran.get_future().wait();
}

TEST(remote_task, lives_on_when_its_waiter_is_dropped) {
    const auto waiter = [](remote_handle<int>& awaited) -> task<> { co_await awaited; };
    const auto slow = []() -> task<int> {
        co_await sleep_for(5ms);
        co_return 3;
    };
    const auto main = [](auto wait, auto work) -> task<> {
        auto remote = runtime::current().spawn_on(1, work());
        {
            auto dropped = spawn(wait(remote));
            co_await test::turns(2);
        }
        EXPECT_EQ(co_await remote, 3);
    };
    run_bounded(main(waiter, slow), two_workers());
}

TEST(remote_task, may_start_tasks_of_its_own_elsewhere) {
    const auto main = []() -> task<> {
        const auto relay = [](int depth) -> task<int> {
            auto self = [](auto& again, int left) -> task<int> {
                if (left == 0)
                    co_return 0;
                auto next =
                    runtime::current().spawn_on(static_cast<std::size_t>(left % 3), again(again, left - 1));
                co_return 1 + co_await next;
            };
            co_return co_await self(self, depth);
        };
        EXPECT_EQ(co_await relay(100), 100);
    };
    run_bounded(main(), runtime_options().workers(3));
}

TEST(remote_task, in_crowds_loses_no_result) {
    const auto main = []() -> task<> {
        for (int round = 0; round < 20; ++round) {
            std::vector<remote_handle<int>> crowd;
            for (int at = 0; at < 500; ++at)
                crowd.push_back(runtime::current().spawn_on(static_cast<std::size_t>(at % 4), number(at)));
            int sum = 0;
            for (auto& each : crowd)
                sum += co_await each;
            EXPECT_EQ(sum, 499 * 500 / 2);
        }
    };
    run_bounded(main(), runtime_options().workers(4));
}

TEST(remote_task, dropped_at_any_moment_leaves_nothing_behind) {
    std::atomic<int> living = 0;
    const auto work = [](counted_object, int steps) -> task<int> {
        co_await test::turns(steps);
        co_return steps;
    };
    const auto main = [](auto remote, std::atomic<int>& count) -> task<> {
        auto generator = test::seeded_generator();
        for (int round = 0; round < 2000; ++round) {
            auto dropped =
                runtime::current().spawn_on(1, remote(counted_object(count), test::between(generator, 0, 3)));
            co_await test::turns(test::between(generator, 0, 4));
        }
        co_await settled(1);
        EXPECT_EQ(count, 0);
    };
    run_bounded(main(work, living), two_workers());
    EXPECT_EQ(living, 0);
}

TEST(remote_task, is_ended_with_the_runtime_wherever_its_messages_are) {
    std::atomic<int> living = 0;
    const auto main = [](std::atomic<int>& count, int kept) -> task<> {
        std::vector<remote_handle<>> held;
        for (int at = 0; at < 8; ++at) {
            const auto index = static_cast<std::size_t>(at % 3);
            auto started = runtime::current().spawn_on(index, sleep_for_ever(counted_object(count)));
            if (at % 4 == kept)
                held.push_back(std::move(started));
            else if (at % 2 == 0)
                started.detach();
        }
        co_await test::turns(kept);
    };
    for (int round = 0; round < 60; ++round) {
        run_bounded(main(living, round % 4), runtime_options().workers(3));
        ASSERT_EQ(living, 0);
    }
}

TEST(remote_task, that_spawns_while_the_runtime_ends_is_freed) {
    std::atomic<int> living = 0;
    // Its local's destructor, run when worker 1 ends, sends another task on its way.
    struct sender {
        explicit sender(std::atomic<int>& to) : count(to) {}
        ~sender() { runtime::current().spawn_on(0, sleep_for_ever(counted_object(count))).detach(); }
        std::atomic<int>& count;
    };
    const auto work = [](std::atomic<int>& count) -> task<> {
        const sender local(count);
        co_await sleep_for(24h);
    };
    const auto main = [](auto remote, std::atomic<int>& count) -> task<> {
        runtime::current().spawn_on(1, remote(count)).detach();
        co_await settled(1);
    };
    for (int round = 0; round < 20; ++round)
        run_bounded(main(work, living), two_workers());
    EXPECT_EQ(living, 0);
}

/// A place for a message about the task that would run now.
const char* running_name() {
    const char* const name = detail::resume_loop::current().running_name();
    return name != nullptr ? name : "";
}

TEST(remote_task, has_the_name_that_it_was_given) {
    const auto main = []() -> task<> {
        const auto own_name = []() -> task<std::string> { co_return running_name(); };
        const auto own_name_at = [](std::size_t) -> task<std::string> { co_return running_name(); };
        auto named = runtime::current().spawn_on(1, own_name(), "a name");
        EXPECT_EQ(co_await named, "a name");
        auto unnamed = runtime::current().spawn_on(1, own_name());
        EXPECT_EQ(co_await unnamed, "remote task");
        auto each = runtime::current().run_on_each(own_name_at, "one each");
        for (auto& one : each) {
            EXPECT_EQ(co_await one, "one each");
        }
    };
    run_bounded(main(), two_workers());
}

enum class phase : std::uint8_t { sent, runs, is_to_throw, throws };

/// Throws once it is told to.
task<> throw_when_told(std::atomic<phase>& now) {
    now = phase::runs;
    co_await test::turns_until([&now] { return now == phase::is_to_throw; });
    now = phase::throws;
    throw std::runtime_error("unheard");
}

/// Detaches such a task, and tells it to throw once it runs.
task<> detach_a_thrower(std::atomic<phase>& now) {
    runtime::current().spawn_on(1, throw_when_told(now), "the culprit").detach();
    co_await test::turns_until([&now] { return now == phase::runs; });
    now = phase::is_to_throw;
}

TEST(remote_task_death, ends_the_program_when_it_throws_after_it_was_detached_and_is_named) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    std::atomic<phase> now = phase::sent;
    const auto main = [](std::atomic<phase>& shared) -> task<> {
        co_await detach_a_thrower(shared);
        co_await sleep_for(24h);
    };
    EXPECT_DEATH(run_bounded(main(now), two_workers()), "the culprit: unheard");
}

TEST(remote_task_death, ends_the_program_when_it_has_thrown_before_it_was_detached) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto main = []() -> task<> {
        auto remote = runtime::current().spawn_on(1, thrower(), "the culprit");
        co_await test::turns_until([&remote] { return remote.done(); });
        remote.detach();
    };
    EXPECT_DEATH(run_bounded(main(), two_workers()), "the culprit: no");
}

TEST(remote_task_death, ends_the_program_when_it_throws_while_the_runtime_ends) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    std::atomic<phase> now = phase::sent;
    const auto main = [](std::atomic<phase>& shared) -> task<> {
        co_await detach_a_thrower(shared);
        while (shared != phase::throws) {
        }  // this worker does not turn any more: the news stays in its inbox
    };
    EXPECT_DEATH(run_bounded(main(now), two_workers()), "the culprit: unheard");
}

TEST(remote_task, whose_exception_was_taken_may_be_detached_and_so_may_one_that_was_dropped) {
    const auto main = []() -> task<> {
        auto taken = runtime::current().spawn_on(1, thrower());
        bool was_thrown = false;
        try {
            co_await taken;
        } catch (const std::runtime_error&) {
            was_thrown = true;
        }
        EXPECT_TRUE(was_thrown);
        taken.detach();
        static_cast<void>(runtime::current().spawn_on(1, thrower()));  // dropped: whatever it throws is, too
        co_await settled(1);
        co_await sleep_for(1ms);
    };
    run_bounded(main(), two_workers());
}

TEST(remote_task, wakes_a_sleeping_worker_each_time) {
    const auto main = []() -> task<> {
        for (int round = 0; round < 2000; ++round) {
            auto remote = runtime::current().spawn_on(1, number(round));
            EXPECT_EQ(co_await remote, round);
        }
    };
    run_bounded(main(), two_workers());
}

}  // namespace
}  // namespace eddy::remote_handle_test
