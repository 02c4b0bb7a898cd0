#include "support/counted_object.hpp"
#include "support/moment.hpp"
#include "support/run_bounded.hpp"
#include "support/seed.hpp"
#include "support/turns.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/combine/when_all.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/detail/allocation_window.hpp>
#include <eddy/runtime/offload.hpp>
#include <eddy/runtime/remote_handle.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/testing/replace_new.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <new>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

namespace eddy::offload_test {
namespace {

using test::counted_object;
using test::moment;
using test::run_bounded;

/// offload() as a task; it takes the function by value, which is safe with every compiler.
template <class Function>
task<std::invoke_result_t<Function&>> offloaded(Function function) {
    co_return co_await offload(std::move(function));
}

TEST(offload, gives_the_result_of_a_call_on_another_thread) {
    const auto main = []() -> task<> {
        auto where = [] { return std::this_thread::get_id(); };
        EXPECT_NE(co_await offload(std::move(where)), std::this_thread::get_id());
        auto owned = [] { return std::make_unique<int>(3); };
        const auto made = co_await offload(std::move(owned));
        EXPECT_EQ(*made, 3);
        bool was_called = false;
        auto nothing = [&was_called] { was_called = true; };
        co_await offload(std::move(nothing));
        EXPECT_TRUE(was_called);
    };
    run_bounded(main());
}

TEST(offload, takes_a_function_that_only_moves) {
    const auto main = []() -> task<int> {
        auto function = [held = std::make_unique<int>(8)] { return *held; };
        co_return co_await offload(std::move(function));
    };
    EXPECT_EQ(run_bounded(main()), 8);
}

TEST(offload, moves_arguments_along) {
    const auto main = []() -> task<std::string> {
        auto owned = std::make_unique<std::string>("moved");
        const std::string copied = " and copied";
        co_return co_await offload(
            [](std::unique_ptr<std::string> taken, const std::string& other) { return *taken + other; },
            std::move(owned), copied);
    };
    EXPECT_EQ(run_bounded(main()), "moved and copied");
}

TEST(offload, calls_a_function_with_a_name_with_arguments) {
    const auto main = []() -> task<int> {
        const auto add = [](int left, int right) { return left + right; };
        co_return co_await offload(add, 2, 3);
    };
    EXPECT_EQ(run_bounded(main()), 5);
}

TEST(offload, dropped_before_it_has_begun_lets_go_of_its_arguments) {
    std::atomic<int> living{0};
    const auto main = [](std::atomic<int>& count) -> task<> {
        std::promise<void> release;
        auto waits = [waiting = release.get_future()]() mutable { waiting.wait(); };
        auto first = spawn(offloaded(std::move(waits)));
        co_await test::turns(1);
        const auto take = [](std::atomic<int>& counter) -> task<> {
            co_await offload([](counted_object) { ADD_FAILURE() << "it was called"; },
                             counted_object(counter));
        };
        auto dropped = spawn(take(count));
        co_await yield();
        EXPECT_EQ(count, 1);
        dropped.cancel();
        EXPECT_EQ(count, 0);
        release.set_value();
        co_await first;
    };
    run_bounded(main(living), runtime_options().workers(1).offload_threads(1));
}

TEST(offload, throws_what_the_function_threw) {
    const auto main = []() -> task<std::string> {
        auto thrower = []() -> int { throw std::runtime_error("no"); };
        try {
            co_await offload(std::move(thrower));
        } catch (const std::runtime_error& caught) {
            co_return caught.what();
        }
        co_return "nothing thrown";
    };
    EXPECT_EQ(run_bounded(main()), "no");
}

TEST(offload, does_not_block_the_worker) {
    const auto main = []() -> task<> {
        std::promise<void> release;
        auto waits = [waiting = release.get_future()]() mutable { waiting.wait(); };
        auto running = spawn(offloaded(std::move(waits)));
        co_await test::turns(100);
        EXPECT_FALSE(running.done());
        release.set_value();
        co_await running;
    };
    run_bounded(main(), runtime_options().workers(1).offload_threads(1));
}

TEST(offload, of_many_calls_loses_none) {
    const auto main = []() -> task<> {
        std::vector<handle<int>> running;
        for (int at = 0; at < 2000; ++at)
            running.push_back(spawn(offloaded([at] { return at; })));
        int sum = 0;
        for (auto& each : running)
            sum += co_await each;
        EXPECT_EQ(sum, 1999 * 2000 / 2);
    };
    run_bounded(main(), runtime_options().workers(1).offload_threads(4));
}

TEST(offload, begins_calls_in_the_order_of_posting) {
    const auto main = []() -> task<> {
        std::vector<int> order;
        std::vector<handle<>> running;
        for (int at = 0; at < 100; ++at) {
            running.push_back(spawn(offloaded([at, &order] { order.push_back(at); })));
            co_await yield();
        }
        for (auto& each : running)
            co_await each;
        for (int at = 0; at < 100; ++at)
            EXPECT_EQ(order[static_cast<std::size_t>(at)], at);
    };
    run_bounded(main(), runtime_options().workers(1).offload_threads(1));
}

TEST(offload, dropped_before_it_has_begun_is_not_called) {
    std::atomic<int> living = 0;
    std::atomic<bool> was_called = false;
    const auto main = [](std::atomic<int>& count, std::atomic<bool>& called) -> task<> {
        std::promise<void> release;
        auto waits = [waiting = release.get_future()]() mutable { waiting.wait(); };
        auto blocker = spawn(offloaded(std::move(waits)));
        auto queued = spawn(offloaded([held = counted_object(count), &called] { called = true; }));
        co_await test::turns(2);
        EXPECT_EQ(count, 1);
        queued.cancel();
        EXPECT_EQ(count, 0) << "a call that was taken back is freed at once";
        release.set_value();
        co_await blocker;
        co_await offloaded([] {});
    };
    run_bounded(main(living, was_called), runtime_options().workers(1).offload_threads(1));
    EXPECT_FALSE(was_called);
    EXPECT_EQ(living, 0);
}

TEST(offload, dropped_while_it_runs_lets_go_of_the_result) {
    std::atomic<int> living = 0;
    const auto main = [](std::atomic<int>& count) -> task<> {
        std::promise<void> begun;
        std::promise<void> release;
        auto has_begun = begun.get_future();
        auto function = [&begun, waiting = release.get_future(), held = counted_object(count),
                         &count]() mutable {
            begun.set_value();
            waiting.wait();
            return counted_object(count);
        };
        auto running = spawn(offloaded(std::move(function)));
        co_await test::turns(2);
        has_begun.wait();
        running.cancel();  // returns although the call goes on
        EXPECT_EQ(count, 1);
        release.set_value();
        co_await test::turns_until([&count] { return count == 0; });
    };
    run_bounded(main(living), runtime_options().workers(1).offload_threads(2));
    EXPECT_EQ(living, 0);
}

TEST(offload, dropped_at_any_moment_leaves_nothing_behind) {
    std::atomic<int> living = 0;
    const auto main = [](std::atomic<int>& count) -> task<> {
        auto generator = test::seeded_generator();
        for (int round = 0; round < 3000; ++round) {
            auto function = [held = counted_object(count), &count] { return counted_object(count); };
            auto running = spawn(offloaded(std::move(function)));
            for (int steps = test::between(generator, 0, 12); steps > 0; --steps) {
                if (steps % 3 == 0)
                    co_await test::turns(1);
                else
                    co_await yield();
            }
        }
    };
    run_bounded(main(living), runtime_options().workers(1).offload_threads(2));
    EXPECT_EQ(living, 0);
}

TEST(offload, under_way_is_waited_for_at_the_end_of_the_runtime) {
    std::atomic<int> living = 0;
    std::promise<void> release;
    std::atomic<bool> has_begun = false;
    const auto main = [](std::atomic<int>& count, std::atomic<bool>& begun,
                         std::promise<void>& go) -> task<> {
        auto function = [held = counted_object(count), &begun, waiting = go.get_future()]() mutable {
            begun = true;
            begun.notify_all();
            waiting.wait();
        };
        spawn(offloaded(std::move(function))).detach();
        co_await test::turns_until([&begun] { return begun.load(); });
    };
    std::thread releases([&] {
        has_begun.wait(false);
        release.set_value();
    });
    run_bounded(main(living, has_begun, release), runtime_options().workers(2));
    EXPECT_EQ(living, 0);
    releases.join();
}

TEST(offload, from_every_worker_comes_home_to_each) {
    const auto work = [](std::size_t index) -> task<> {
        for (int round = 0; round < 500; ++round) {
            auto function = [index] { return index; };
            EXPECT_EQ(co_await offload(std::move(function)), index);
            EXPECT_EQ(worker::current().index(), index);
        }
    };
    const auto main = [](auto each) -> task<> {
        auto started = runtime::current().run_on_each(each);
        for (auto& one : started)
            co_await one;
    };
    run_bounded(main(work), runtime_options().workers(3).offload_threads(2));
}

// -- kinds, room, metrics --

task<> holds_a_thread(work_kind kind, moment& begun, moment& released) {
    co_await offload(
        kind,
        [](moment* has_begun, moment* go_on) {
            has_begun->come();
            go_on->wait();
        },
        &begun, &released);
}

TEST(offload, of_long_work_never_blocks_short_calls) {
    const auto main = []() -> task<> {
        moment begun;
        moment released;
        std::vector<handle<>> longs;
        for (int at = 0; at < 4; ++at)
            longs.push_back(spawn(holds_a_thread(work_kind::long_running, begun, released)));
        co_await test::turns_until([&begun] { return begun.has_come(); });
        for (int at = 0; at < 50; ++at)
            co_await offload([] {});
        const auto now = runtime::current().offload_metrics();
        EXPECT_EQ(now.running_long, 1U);
        EXPECT_EQ(now.queued_long, 3U);
        released.come();
        for (auto& each : longs)
            co_await each;
    };
    run_bounded(main(), runtime_options().workers(1).offload_threads(2));
}

TEST(offload, gives_long_work_as_many_threads_as_the_options_say) {
    const auto main = []() -> task<> {
        auto function = [] { return 3; };
        EXPECT_EQ(co_await offload(work_kind::long_running, std::move(function)), 3);
        EXPECT_EQ(runtime::current().offload_threads().threads_max(work_kind::long_running), 2U);
        EXPECT_EQ(runtime::current().offload_threads().threads_max(work_kind::short_running), 5U);
    };
    run_bounded(main(), runtime_options().workers(1).offload_threads(5).offload_long_threads_max(2));
}

TEST(offload, into_a_full_queue_waits_for_room_in_order_and_loses_nothing) {
    const auto main = []() -> task<> {
        moment begun;
        moment released;
        auto held = spawn(holds_a_thread(work_kind::short_running, begun, released));
        co_await test::turns_until([&begun] { return begun.has_come(); });
        std::vector<int> order;
        std::vector<handle<>> running;
        for (int at = 0; at < 20; ++at) {
            running.push_back(spawn(offloaded([at, &order] { order.push_back(at); })));
            co_await yield();
        }
        co_await test::turns(2);
        const auto full = runtime::current().offload_metrics();
        EXPECT_EQ(full.queued_short, 4U);
        EXPECT_EQ(full.waiting_for_room, 16U);
        released.come();
        for (auto& each : running)
            co_await each;
        co_await held;
        for (int at = 0; at < 20; ++at)
            EXPECT_EQ(order[static_cast<std::size_t>(at)], at);
        const auto ended = runtime::current().offload_metrics();
        EXPECT_EQ(ended.waiting_for_room, 0U);
        EXPECT_EQ(ended.waited_for_room, 16U);
        EXPECT_GT(ended.longest_wait_short, duration::zero());
    };
    run_bounded(main(), runtime_options().workers(1).offload_threads(1).offload_queue_max(4));
}

TEST(offload, dropped_while_it_waits_for_room_is_taken_back) {
    std::atomic<int> living = 0;
    const auto main = [](std::atomic<int>& count) -> task<> {
        moment begun;
        moment released;
        auto held = spawn(holds_a_thread(work_kind::short_running, begun, released));
        co_await test::turns_until([&begun] { return begun.has_come(); });
        std::vector<int> order;
        std::vector<handle<>> running;
        for (int at = 0; at < 6; ++at) {
            running.push_back(
                spawn(offloaded([at, &order, own = counted_object(count)] { order.push_back(at); })));
            co_await yield();
        }
        co_await test::turns(2);
        EXPECT_EQ(count, 6);
        running[3].cancel();
        EXPECT_EQ(count, 5) << "it is freed at once";
        running[0].cancel();  // its room goes to the next
        EXPECT_EQ(runtime::current().offload_metrics().waiting_for_room, 2U);
        released.come();
        for (const std::size_t at : {1U, 2U, 4U, 5U})
            co_await running[at];
        EXPECT_EQ(order, (std::vector{1, 2, 4, 5}));
        co_await held;
    };
    run_bounded(main(living), runtime_options().workers(1).offload_threads(1).offload_queue_max(2));
    EXPECT_EQ(living, 0);
}

TEST(offload, may_be_awaited_with_others_at_once) {
    const auto main = []() -> task<> {
        const auto [one, two] = co_await when_all(offload([] { return 1; }), offload([] { return 2; }));
        EXPECT_EQ(one + two, 3);
        const auto winner = co_await race(offload([] { return 5; }), offload([] { return 5; }));
        EXPECT_EQ(std::visit([](int value) { return value; }, winner), 5);
        co_await when_all(offload([] {}), offload(work_kind::long_running, [] {}));
    };
    run_bounded(main(), runtime_options().workers(1).offload_threads(2));
}

// A call that was awaited to its end has run once; a dropped one has run once or never; and the pool has run
// as many as have run: nothing is lost, and nothing runs twice.
struct conservation {
    std::atomic<std::uint64_t> runs = 0;
    std::atomic<int> living = 0;
    std::atomic<std::uint64_t> completed = 0;
    std::atomic<std::uint64_t> dropped = 0;
};

class counted_call {
public:
    counted_call(conservation& all, std::shared_ptr<std::atomic<int>> own)
        : all_(&all), own_(std::move(own)), living_(all.living) {}
    void operator()() const {
        EXPECT_EQ(++*own_, 1) << "it has run twice";
        ++all_->runs;
    }

private:
    conservation* all_;
    std::shared_ptr<std::atomic<int>> own_;
    counted_object living_;
};

task<> calls_once(work_kind kind, conservation& all, std::shared_ptr<std::atomic<int>> own) {
    counted_call function(all, std::move(own));
    co_await offload(kind, std::move(function));
}

task<> produces(conservation& all, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    for (int round = 0; round < 150; ++round) {
        std::vector<handle<>> running;
        std::vector<std::shared_ptr<std::atomic<int>>> runs;
        for (int at = test::between(generator, 1, 6); at > 0; --at) {
            const bool is_long = test::between(generator, 0, 3) == 0;
            runs.push_back(std::make_shared<std::atomic<int>>(0));
            running.push_back(spawn(
                calls_once(is_long ? work_kind::long_running : work_kind::short_running, all, runs.back())));
        }
        for (int steps = test::between(generator, 0, 4); steps > 0; --steps)
            co_await yield();
        for (std::size_t at = 0; at < running.size(); ++at) {
            if (test::between(generator, 0, 2) == 0) {
                running[at].cancel();
                ++all.dropped;
            } else {
                co_await running[at];
                EXPECT_EQ(*runs[at], 1);
                ++all.completed;
            }
        }
    }
}

TEST(offload, under_stress_runs_every_call_once_or_takes_it_back) {
    conservation all;
    constexpr int workers = 4;
    constexpr int producers = 16;
    const auto main = [](conservation& counts) -> task<> {
        auto seeds = test::seeded_generator();
        std::vector<remote_handle<>> producing;
        for (int at = 0; at < producers; ++at)
            producing.push_back(runtime::current().spawn_on(static_cast<std::size_t>(at % workers),
                                                            produces(counts, seeds())));
        for (auto& each : producing)
            co_await each;
        // What was dropped while it ran is still to end.
        co_await test::turns_until(
            [] { return runtime::current().offload_threads().count_under_way() == 0; });
        EXPECT_EQ(runtime::current().offload_metrics().done, counts.runs);
    };
    run_bounded(main(all), runtime_options().workers(workers).offload_threads(3).offload_queue_max(8));
    EXPECT_EQ(all.living, 0);
    EXPECT_GE(all.runs, all.completed);
    EXPECT_LE(all.runs, all.completed + all.dropped);
}

TEST(offload, fails_without_a_call_where_no_thread_is_to_be_had) {
    if (!testing::replaces_new)
        GTEST_SKIP() << "[sanitizer] no allocation can fail in this build";
    const auto main = []() -> task<> {
        bool was_called = false;
        bool has_failed = false;
        auto function = [&was_called] { was_called = true; };
        auto calling = offload(std::move(function));
        detail::allocation_window::open(1);
        try {
            co_await std::move(calling);
        } catch (const std::bad_alloc&) {
            has_failed = true;
        }
        detail::allocation_window::close();
        EXPECT_TRUE(has_failed);
        EXPECT_FALSE(was_called);
        auto again = [&was_called] { was_called = true; };
        co_await offload(std::move(again));
        EXPECT_TRUE(was_called);
    };
    run_bounded(main(), runtime_options().workers(1).offload_threads(2));
}

}  // namespace
}  // namespace eddy::offload_test
