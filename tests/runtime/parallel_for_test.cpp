#include "support/counted_object.hpp"
#include "support/moment.hpp"
#include "support/run_bounded.hpp"
#include "support/seed.hpp"
#include "support/turns.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/offload.hpp>
#include <eddy/runtime/parallel_for.hpp>
#include <eddy/runtime/runtime.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <limits>
#include <memory>
#include <mutex>
#include <numeric>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace eddy::parallel_for_test {
namespace {

using test::counted_object;
using test::moment;
using test::run_bounded;

runtime_options with_threads(std::size_t count) {
    return runtime_options().workers(1).offload_threads(count);
}

/// parallel_for() as a task.
template <class Function>
task<> loops(std::size_t count, std::size_t grain, Function function) {
    auto looping = parallel_for(count, grain, std::move(function));
    co_await std::move(looping);
}

TEST(parallel_for, calls_its_function_once_with_every_index) {
    const auto main = []() -> task<> {
        for (const std::size_t count : {0U, 1U, 7U, 1000U})
            for (const std::size_t grain : {0U, 1U, 3U, 1000U, 5000U}) {
                std::vector<std::atomic<int>> calls(count);
                auto body = [&calls](std::size_t index) { ++calls[index]; };
                co_await parallel_for(count, grain, body);
                for (const auto& each : calls)
                    EXPECT_EQ(each, 1) << count << " by " << grain;
            }
    };
    run_bounded(main(), with_threads(3));
}

TEST(parallel_for, hands_out_chunks_of_the_grain_to_who_takes_two_bounds) {
    const auto main = []() -> task<> {
        std::mutex mutex;
        std::set<std::pair<std::size_t, std::size_t>> chunks;
        auto body = [&](std::size_t first, std::size_t end) {
            const std::lock_guard guard(mutex);
            chunks.emplace(first, end);
        };
        co_await parallel_for(10, 4, body);
        EXPECT_EQ(chunks, (std::set<std::pair<std::size_t, std::size_t>>{{0, 4}, {4, 8}, {8, 10}}));
    };
    run_bounded(main(), with_threads(2));
}

TEST(parallel_for, needs_no_more_than_the_last_index) {
    const auto main = []() -> task<> {
        constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
        std::atomic<std::size_t> sum = 0;
        auto body = [&sum](std::size_t first, std::size_t end) { sum += end - first; };
        co_await parallel_for(most, most / 3, body);
        EXPECT_EQ(sum, most);
    };
    run_bounded(main(), with_threads(2));
}

TEST(parallel_for, gives_a_range_back_that_it_was_given) {
    const auto main = []() -> task<> {
        std::vector<int> numbers(1000);
        std::iota(numbers.begin(), numbers.end(), 0);
        const auto doubled = co_await parallel_for(std::move(numbers), 16, [](int& number) { number *= 2; });
        EXPECT_EQ(doubled.size(), 1000U);
        for (std::size_t at = 0; at < doubled.size(); ++at)
            EXPECT_EQ(doubled[at], static_cast<int>(2 * at));
        std::vector<int> kept(100, 1);
        co_await parallel_for(work_kind::long_running, std::span(kept), 7, [](int& number) { ++number; });
        EXPECT_EQ(std::ranges::count(kept, 2), 100);
    };
    run_bounded(main(), with_threads(3));
}

TEST(parallel_for, runs_on_all_threads_at_once) {
    const auto main = []() -> task<> {
        constexpr std::size_t threads = 4;
        std::atomic<std::size_t> arrived = 0;
        // Nobody goes on before all have come, so one thread alone would wait for ever.
        auto body = [&arrived](std::size_t) {
            if (++arrived == threads)
                arrived.notify_all();
            for (std::size_t now = arrived; now < threads; now = arrived)
                arrived.wait(now);
        };
        co_await parallel_for(threads, 1, body);
        EXPECT_EQ(arrived, threads);
        const auto metrics = runtime::current().offload_metrics();
        EXPECT_EQ(metrics.threads, threads);
        EXPECT_GE(metrics.stolen, 1U) << "the first thread posted what the others do";
    };
    run_bounded(main(), with_threads(4));
}

TEST(parallel_for, of_long_work_leaves_a_thread_to_short_calls) {
    const auto main = []() -> task<> {
        moment released;
        std::atomic<int> begun = 0;
        auto body = [&](std::size_t) {
            ++begun;
            released.wait();
        };
        const auto loop = [](auto waits) -> task<> {
            co_await parallel_for(work_kind::long_running, 10, 1, waits);
        };
        auto looping = spawn(loop(body));
        co_await test::turns_until([&begun] { return begun == 2; });
        for (int at = 0; at < 20; ++at)
            co_await offload([] {});
        EXPECT_EQ(begun, 2);
        released.come();
        co_await looping;
        EXPECT_EQ(begun, 10);
    };
    run_bounded(main(), with_threads(3));
}

TEST(parallel_for, lets_other_calls_go_first_between_two_chunks) {
    const auto main = []() -> task<> {
        moment has_begun;
        moment released;
        std::atomic<int> chunks = 0;
        std::atomic<int> chunks_before = -1;
        auto body = [&](std::size_t) {
            has_begun.come();
            released.wait();
            ++chunks;
        };
        auto looping = spawn(loops(100, 1, body));
        co_await test::turns_until([&] { return has_begun.has_come(); });
        auto calling = [&] { chunks_before = chunks.load(); };
        const auto call = [](auto function) -> task<> { co_await offload(std::move(function)); };
        auto called = spawn(call(calling));
        co_await test::turns(2);
        released.come();
        co_await called;
        EXPECT_EQ(chunks_before, 1);
        co_await looping;
        EXPECT_EQ(chunks, 100);
    };
    run_bounded(main(), with_threads(1));
}

TEST(parallel_for, throws_the_first_exception_and_begins_no_more) {
    const auto main = []() -> task<std::string> {
        std::atomic<int> calls = 0;
        auto body = [&calls](std::size_t index) {
            ++calls;
            if (index == 3)
                throw std::runtime_error("three");
        };
        std::string text;
        try {
            co_await parallel_for(1000, 1, body);
        } catch (const std::runtime_error& caught) {
            text = caught.what();
        }
        EXPECT_EQ(calls, 4);
        co_return text;
    };
    EXPECT_EQ(run_bounded(main(), with_threads(1)), "three");
}

TEST(parallel_for, throws_one_exception_where_all_chunks_fail) {
    const auto main = []() -> task<int> {
        int caught = 0;
        for (int round = 0; round < 200; ++round) {
            try {
                co_await parallel_for(
                    8, 1, [](std::size_t index) { throw std::out_of_range(std::to_string(index)); });
            } catch (const std::out_of_range&) {
                ++caught;
            }
        }
        co_return caught;
    };
    EXPECT_EQ(run_bounded(main(), with_threads(4)), 200);
}

TEST(parallel_for, dropped_while_it_runs_makes_no_chunk_that_has_not_begun) {
    std::atomic<int> living = 0;
    const auto main = [](std::atomic<int>& count) -> task<> {
        // Owned by the function, since that outlives the drop.
        auto released = std::make_shared<moment>();
        auto calls = std::make_shared<std::atomic<int>>(0);
        auto body = [released, calls, held = counted_object(count)](std::size_t) {
            ++*calls;
            released->wait();
        };
        auto looping = spawn(loops(1000, 1, std::move(body)));
        co_await test::turns_until([&calls] { return *calls == 2; });
        looping.cancel();  // returns although two chunks go on
        EXPECT_EQ(count, 1);
        released->come();
        co_await test::turns_until([&count] { return count == 0; });
        EXPECT_EQ(*calls, 2);
    };
    run_bounded(main(living), with_threads(2));
    EXPECT_EQ(living, 0);
}

TEST(parallel_for, dropped_before_it_has_begun_is_freed_at_once) {
    std::atomic<int> living = 0;
    const auto main = [](std::atomic<int>& count) -> task<> {
        moment has_begun;
        moment released;
        auto holding = [&] {
            has_begun.come();
            released.wait();
        };
        const auto call = [](auto function) -> task<> { co_await offload(std::move(function)); };
        auto holds = spawn(call(holding));
        co_await test::turns_until([&] { return has_begun.has_come(); });
        auto body = [held = counted_object(count)](std::size_t) { ADD_FAILURE() << "it was called"; };
        auto looping = spawn(loops(10, 1, std::move(body)));
        co_await test::turns(1);
        EXPECT_EQ(count, 1);
        looping.cancel();
        EXPECT_EQ(count, 0);
        released.come();
        co_await holds;
    };
    run_bounded(main(living), with_threads(1));
}

TEST(parallel_for, may_be_one_of_several_at_once) {
    const auto main = []() -> task<int> {
        std::atomic<int> calls = 0;
        auto body = [&calls](std::size_t) { ++calls; };
        const auto results =
            co_await when_all(loops(500, 3, body), loops(500, 0, body), offload([] { return 6; }),
                              parallel_for(20, 1, [](std::size_t) {}));
        EXPECT_EQ(calls, 1000);
        co_return std::get<2>(results);
    };
    EXPECT_EQ(run_bounded(main(), with_threads(3)), 6);
}

TEST(parallel_for, dropped_at_any_moment_leaves_nothing_behind) {
    std::atomic<int> living = 0;
    const auto main = [](std::atomic<int>& count) -> task<> {
        auto generator = test::seeded_generator();
        for (int round = 0; round < 1000; ++round) {
            auto body = [held = counted_object(count)](std::size_t) { std::this_thread::yield(); };
            auto running = spawn(loops(test::between<std::size_t>(generator, 0, 40),
                                       test::between<std::size_t>(generator, 0, 4), std::move(body)));
            for (int steps = test::between(generator, 0, 8); steps > 0; --steps) {
                if (steps % 3 == 0)
                    co_await test::turns(1);
                else
                    co_await yield();
            }
        }
    };
    run_bounded(main(living), with_threads(3));
    EXPECT_EQ(living, 0);
}

TEST(parallel_for, from_every_worker_comes_home_to_each) {
    const auto work = [](std::size_t index) -> task<> {
        for (int round = 0; round < 100; ++round) {
            std::atomic<std::size_t> sum = 0;
            auto body = [&sum](std::size_t at) { sum += at; };
            co_await parallel_for(100, 5, body);
            EXPECT_EQ(sum, 4950U);
            EXPECT_EQ(worker::current().index(), index);
        }
    };
    const auto main = [](auto each) -> task<> {
        auto started = runtime::current().run_on_each(each);
        for (auto& one : started)
            co_await one;
    };
    run_bounded(main(work), runtime_options().workers(3).offload_threads(3));
}

}  // namespace
}  // namespace eddy::parallel_for_test
