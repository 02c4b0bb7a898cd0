#include "support/counted_object.hpp"
#include "support/run_bounded.hpp"
#include "support/time_bound.hpp"
#include "support/turns.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/io/host.hpp>
#include <eddy/runtime/executor.hpp>
#include <eddy/runtime/runtime.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <barrier>
#include <cstddef>
#include <cstdint>
#include <latch>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace eddy::post_test {
namespace {

using test::counted_object;
using test::run_bounded;

TEST(post, calls_functions_in_their_order_after_the_caller_has_suspended) {
    const auto main = []() -> task<> {
        std::vector<int> called;
        for (int number = 0; number < 5000; ++number)
            post([&called, number] { called.push_back(number); });
        EXPECT_TRUE(called.empty());
        co_await test::turns_until([&] { return called.size() == 5000; });
        for (int number = 0; number < 5000; ++number)
            EXPECT_EQ(called[static_cast<std::size_t>(number)], number);
    };
    run_bounded(main());
}

TEST(post, takes_functions_of_every_kind_and_destroys_what_they_own) {
    const auto main = []() -> task<> {
        int called = 0;
        const std::array<std::byte, 5000> large{};
        struct throws_when_moved {
            throws_when_moved() = default;
            throws_when_moved(const throws_when_moved&) {}
        };
        struct alignas(64) aligned {
            char text[64] = {};
        };
        post([&called, owned = std::make_unique<int>(1)] { called += *owned; });
        post([&called, large] { called += static_cast<int>(large.size() == 5000); });
        post([&called, held = throws_when_moved()] { ++called; });
        post([&called, held = aligned()] {
            called += static_cast<int>(reinterpret_cast<std::uintptr_t>(&held) % 64 == 0);
        });
        const std::string text(100, 'x');
        const auto named = [&called, text] { called += static_cast<int>(text.size() == 100); };
        post(named);
        co_await test::turns_until([&] { return called == 5; });
    };
    run_bounded(main());
}

TEST(post, lets_functions_post_others_and_start_tasks) {
    const auto main = []() -> task<> {
        int left = 1000;
        int ended = 0;
        struct again {
            int& left;
            int& ended;
            void operator()() const {
                if (--left > 0)
                    return post(again{left, ended});
                spawn([](int& count) -> task<> {
                    co_await yield();
                    ++count;
                }(ended))
                    .detach();
            }
        };
        post(again{left, ended});
        co_await test::turns_until([&] { return ended == 1; });
    };
    run_bounded(main());
}

TEST(post, does_not_starve_tasks_nor_is_starved_by_them) {
    const auto main = []() -> task<> {
        bool is_over = false;
        int called = 0;
        struct for_ever {
            bool& is_over;
            int& called;
            void operator()() const {
                ++called;
                if (!is_over)
                    post(for_ever{is_over, called});
            }
        };
        post(for_ever{is_over, called});
        for (int at = 0; at < 10'000; ++at)
            co_await yield();
        EXPECT_GT(called, 0);
        is_over = true;
        const int before = called;
        co_await test::turns_until([&] { return called > before; });
    };
    run_bounded(main());
}

TEST(runtime_post, reaches_every_worker_from_foreign_threads_in_each_threads_order) {
    const test::time_bound bound;
    constexpr std::size_t threads = 3;
    constexpr std::size_t each = 20'000;
    runtime called_on(runtime_options().workers(3));
    // Of each thread's functions on each worker; touched by that worker only.
    std::array<std::array<std::size_t, threads>, 3> next{};
    std::atomic<std::size_t> called = 0;
    std::vector<std::thread> posting;
    for (std::size_t thread = 0; thread < threads; ++thread)
        posting.emplace_back([&, thread] {
            for (std::size_t number = 0; number < each; ++number)
                called_on.post_on(number % 3, [&next, &called, thread, number] {
                    auto& expected = next[worker::current().index()][thread];
                    EXPECT_EQ(number / 3, expected++);
                    ++called;
                });
        });
    for (auto& thread : posting)
        thread.join();
    called_on.run();
    EXPECT_EQ(called, threads * each);
}

TEST(runtime_post, gives_functions_to_the_workers_that_have_time) {
    const test::time_bound bound;
    for (int round = 0; round < 20; ++round) {
        runtime called_on(runtime_options().workers(2));
        // Each needs the other one to run at the same time.
        std::barrier together(2);
        called_on.post([&] { together.arrive_and_wait(); });
        called_on.post([&] { together.arrive_and_wait(); });
        called_on.run();
    }
}

TEST(runtime_post, leaves_nothing_to_a_worker_that_is_no_longer_driven) {
    const test::time_bound bound;
    runtime called_on(runtime_options().workers(2));
    const auto post_some = [](runtime& to, std::latch& called) -> task<> {
        for (int at = 0; at < 10; ++at)
            to.post([&called] { called.count_down(); });
        co_return;
    };
    for (int round = 0; round < 200; ++round) {
        std::latch called(10);
        called_on.run(post_some(called_on, called));
        called.wait();  // worker 0 stands still meanwhile
    }
}

// As many functions as there are threads that call them, each of which blocks until all have been called.
void call_all_at_once(runtime& called, std::size_t threads) {
    std::latch all(static_cast<std::ptrdiff_t>(threads));
    std::latch ended(static_cast<std::ptrdiff_t>(threads));
    for (std::size_t at = 0; at < threads; ++at)
        called.post([&] {
            all.arrive_and_wait();
            ended.count_down();
        });
    ended.wait();
}

TEST(runtime_post, calls_every_function_though_as_many_workers_as_there_are_processors_are_blocked) {
    const test::time_bound bound;
    const std::size_t threads = io::available_cpus() + 1;
    runtime blocked(runtime_options().workers(threads + 1));  // worker 0 is not driven
    call_all_at_once(blocked, threads);
}

TEST(runtime_post, calls_what_a_worker_has_taken_that_is_blocked) {
    const test::time_bound bound;
    const std::size_t threads = io::available_cpus() + 1;
    runtime blocked(runtime_options().workers(threads + 1));
    for (int round = 0; round < 3; ++round) {
        // Quick ones first, by which a worker learns to take many at a time.
        std::latch quick(5000);
        for (int at = 0; at < 5000; ++at)
            blocked.post([&] { quick.count_down(); });
        quick.wait();
        call_all_at_once(blocked, threads);
    }
}

TEST(runtime_post, loses_nothing_of_many_threads) {
    const test::time_bound bound;
    constexpr int threads = 3;
    constexpr int each = 20'000;
    runtime called_on(runtime_options().workers(3));
    std::atomic<int> called = 0;
    std::vector<std::thread> posting;
    for (int thread = 0; thread < threads; ++thread)
        posting.emplace_back([&] {
            for (int number = 0; number < each; ++number) {
                called_on.post([&called] { ++called; });
                if (number % 100 == 0)
                    std::this_thread::yield();  // lets workers fall asleep
            }
        });
    for (auto& thread : posting)
        thread.join();
    called_on.run();
    EXPECT_EQ(called, threads * each);
}

TEST(runtime_post, destroys_functions_that_were_not_called_when_the_runtime_ends) {
    const test::time_bound bound;
    std::atomic<int> living = 0;
    {
        runtime ended(runtime_options().workers(2));
        for (int at = 0; at < 1000; ++at)
            ended.post([held = counted_object(living)] { static_cast<void>(held); });
    }
    EXPECT_EQ(living, 0);
}

TEST(runtime_post, ends_the_program_at_an_exception) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto fail = [] {
        runtime failing(runtime_options().workers(1));
        failing.post([] { throw std::runtime_error("no use"); });
        failing.run();
    };
    EXPECT_DEATH(fail(), "a posted function.*no use");
}

}  // namespace
}  // namespace eddy::post_test
