#include "support/counted_object.hpp"
#include "support/run_bounded.hpp"
#include "support/seed.hpp"
#include "support/turns.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/offload.hpp>
#include <eddy/runtime/runtime.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace eddy {
namespace {

using test::counted_object;
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
        for (int at = 0; at < 100; ++at)
            running.push_back(spawn(offloaded([at, &order] { order.push_back(at); })));
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

}  // namespace
}  // namespace eddy
