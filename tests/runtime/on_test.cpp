#include "support/counted_object.hpp"
#include "support/moment.hpp"
#include "support/run_bounded.hpp"
#include "support/turns.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/executor.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/runtime/worker.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace eddy::on_test {
namespace {

using namespace std::chrono_literals;
using test::counted_object;
using test::run_bounded;

runtime_options two_workers() {
    return runtime_options().workers(2);
}

std::size_t worker_here() {
    return worker::current().index();
}
task<std::size_t> worker_after_some_turns() {
    co_await test::turns(2);
    co_return worker_here();
}
/// Comes back once worker 1 has taken all messages that were sent to it before.
task<> settled() {
    co_await on(1, [] {});
}

TEST(on_a_worker, a_function_is_called_and_its_result_comes_home) {
    const auto main = []() -> task<> {
        const std::size_t there = co_await on(1, worker_here);
        EXPECT_EQ(there, 1u);
        EXPECT_EQ(worker_here(), 0u);
    };
    run_bounded(main(), two_workers());
}

TEST(on_a_worker, a_task_that_the_function_gives_is_run_and_its_result_comes_home) {
    const auto main = []() -> task<> {
        const std::size_t there = co_await on(1, worker_after_some_turns);
        EXPECT_EQ(there, 1u);
        EXPECT_EQ(worker_here(), 0u);
    };
    run_bounded(main(), two_workers());
}

TEST(on_a_worker, what_else_the_function_gives_is_awaited_if_it_can_be) {
    const auto main = []() -> task<> {
        const auto sleep = [] { return sleep_for(1ms); };
        static_assert(std::is_same_v<decltype(on(1, sleep)), task<void>>);
        const auto before = clock::now();
        co_await on(1, sleep);
        EXPECT_GE(clock::now() - before, 1ms);
    };
    run_bounded(main(), two_workers());
}

TEST(on_a_worker, a_result_that_only_moves_comes_home) {
    const auto main = []() -> task<> {
        const auto plain = co_await on(1, [] { return std::make_unique<int>(5); });
        EXPECT_EQ(*plain, 5);
        const auto of_a_task =
            co_await on(1, []() -> task<std::unique_ptr<int>> { co_return std::make_unique<int>(6); });
        EXPECT_EQ(*of_a_task, 6);
    };
    run_bounded(main(), two_workers());
}

template <class Function>
task<std::string> message_of_what_is_thrown(Function function) {
    try {
        co_await on(1, std::move(function));
    } catch (const std::runtime_error& caught) {
        co_return caught.what() + std::to_string(worker_here());
    }
    co_return "nothing thrown";
}

TEST(on_a_worker, what_is_thrown_is_caught_at_home) {
    const auto plain = [] { throw std::runtime_error("plain "); };
    const auto late = []() -> task<> {
        co_await test::turns(2);
        throw std::runtime_error("late ");
    };
    EXPECT_EQ(run_bounded(message_of_what_is_thrown(plain), two_workers()), "plain 0");
    EXPECT_EQ(run_bounded(message_of_what_is_thrown(late), two_workers()), "late 0");
}

TEST(on_a_worker, arguments_are_moved_along) {
    const auto main = []() -> task<> {
        auto number = std::make_unique<int>(7);
        int* const place = number.get();
        int* const arrived =
            co_await on(1, [](std::unique_ptr<int> taken) { return taken.release(); }, std::move(number));
        EXPECT_EQ(arrived, place);
        EXPECT_EQ(number, nullptr);
        delete arrived;
    };
    run_bounded(main(), two_workers());
}

TEST(on_a_worker, arguments_that_are_not_moved_are_copied_and_decay) {
    const auto main = []() -> task<> {
        const auto lengthen = [](std::string text, const char* end) { return text + end; };
        const std::string text = "a text that is too long for a string without memory";
        const std::string longer = co_await on(1, lengthen, text, "!");
        EXPECT_EQ(longer, text + "!");
        // What the function sees is the call's own, however it takes it.
        const auto place_of = [](const std::string& seen) { return &seen; };
        const std::string* const seen = co_await on(1, place_of, text);
        EXPECT_NE(seen, &text);
    };
    run_bounded(main(), two_workers());
}

TEST(on_a_worker, a_member_function_is_called_on_its_object) {
    const auto main = []() -> task<> {
        const auto size = co_await on(1, &std::string::size, std::string("four"));
        EXPECT_EQ(size, 4u);
    };
    run_bounded(main(), two_workers());
}

TEST(on_a_worker, a_lambda_lives_as_long_as_the_task_that_it_gives) {
    std::atomic<int> living = 0;
    const auto main = [](std::atomic<int>& count) -> task<> {
        auto look = [held = counted_object(count), &count]() -> task<int> {
            co_await test::turns(2);
            co_return count.load();
        };
        const int seen = co_await on(1, std::move(look));
        EXPECT_EQ(seen, 1);
    };
    run_bounded(main(living), two_workers());
}

TEST(on_a_worker, what_the_call_owned_is_gone_when_its_result_is_home) {
    std::atomic<int> living = 0;
    const auto wait = [](counted_object) -> task<> { co_await test::turns(1); };
    const auto main = [](auto work, std::atomic<int>& count) -> task<> {
        for (int round = 0; round < 200; ++round) {
            co_await on(1, work, counted_object(count));
            EXPECT_EQ(count, 0);
        }
    };
    run_bounded(main(wait, living), two_workers());
}

TEST(on_a_worker, nothing_happens_before_it_is_awaited) {
    std::atomic<int> calls = 0;
    const auto main = [](std::atomic<int>& count) -> task<> {
        const auto call = [](std::atomic<int>* counted) { ++*counted; };
        {
            const auto never_awaited = on(1, call, &count);
            co_await settled();
            EXPECT_EQ(count, 0);
        }
        co_await on(1, call, &count);
        EXPECT_EQ(count, 1);
    };
    run_bounded(main(calls), two_workers());
}

TEST(on_a_worker, that_is_the_callers_own_it_works_as_elsewhere) {
    const auto main = []() -> task<> {
        const std::size_t called = co_await on(0, worker_here);
        EXPECT_EQ(called, 0u);
        const std::size_t ran = co_await on(0, worker_after_some_turns);
        EXPECT_EQ(ran, 0u);
    };
    run_bounded(main(), two_workers());
    run_bounded(main(), runtime_options().workers(1));
}

task<std::string> way(std::string so_far) {
    so_far += std::to_string(worker_here());
    if (so_far.size() == 6)
        co_return so_far;
    const std::size_t next = (worker_here() + 1) % runtime::current().workers();
    std::string whole = co_await on(next, way, std::move(so_far));
    whole += std::to_string(worker_here());
    co_return whole;
}

TEST(on_a_worker, a_task_may_go_on_to_others_and_each_comes_home) {
    EXPECT_EQ(run_bounded(way(""), runtime_options().workers(3)), "01201210210");
}

/// Notes on which worker it ends.
class noting_its_end {
public:
    explicit noting_its_end(std::atomic<std::size_t>& ended_on) noexcept : ended_on_(ended_on) {}
    noting_its_end(const noting_its_end&) = delete;
    noting_its_end& operator=(const noting_its_end&) = delete;
    ~noting_its_end() { ended_on_ = worker_here(); }

private:
    std::atomic<std::size_t>& ended_on_;
};

constexpr std::size_t nowhere = 99;

task<> wait_for_ever(std::atomic<std::size_t>* ended_on) {
    const noting_its_end local(*ended_on);
    co_await sleep_for(24h);
}

TEST(a_dropped_call_on_a_worker, drops_its_task_there) {
    std::atomic<std::size_t> ended_on = nowhere;
    const auto main = [](std::atomic<std::size_t>& noted) -> task<> {
        auto waiting = spawn(on(1, wait_for_ever, &noted));
        co_await yield();  // the call is on its way
        co_await settled();
        EXPECT_EQ(noted, nowhere);
        waiting.cancel();
        co_await settled();
        EXPECT_EQ(noted, 1u);
    };
    run_bounded(main(ended_on), two_workers());
}

TEST(a_dropped_call_on_a_worker, does_not_wait_for_what_runs_there) {
    struct turnstile {
        test::moment has_begun;
        test::moment may_end;
    };
    turnstile between;
    std::atomic<int> living = 0;
    const auto main = [](turnstile& shared, std::atomic<int>& count) -> task<> {
        const auto block = [](turnstile* at, const counted_object&) {
            at->has_begun.come();
            at->may_end.wait();
        };
        auto blocking = spawn(on(1, block, &shared, counted_object(count)));
        co_await test::turns_until([&shared] { return shared.has_begun.has_come(); });
        blocking.cancel();
        EXPECT_EQ(count, 1) << "the function still runs, and its arguments are its call's own";
        shared.may_end.come();
        co_await settled();
        EXPECT_EQ(count, 0);
    };
    run_bounded(main(between, living), two_workers());
}

TEST(a_dropped_call_on_a_worker, that_has_not_begun_never_does_and_frees_what_it_owns) {
    std::atomic<int> living = 0;
    const auto main = [](std::atomic<int>& count) -> task<> {
        static_cast<void>(on(1, [](const counted_object&) {}, counted_object(count)));
        EXPECT_EQ(count, 0);
        {
            auto never_run = spawn(on(1, [](const counted_object&) {}, counted_object(count)));
            EXPECT_EQ(count, 1);
        }
        EXPECT_EQ(count, 0);
        co_await settled();
    };
    run_bounded(main(living), two_workers());
}

TEST(a_dropped_call_on_a_worker, leaves_nothing_behind_at_whichever_moment) {
    std::atomic<int> living = 0;
    const auto work = [](counted_object, int steps) -> task<int> {
        co_await test::turns(steps);
        co_return steps;
    };
    const auto main = [](auto function, std::atomic<int>& count) -> task<> {
        for (int round = 0; round < 1000; ++round) {
            auto dropped = spawn(on(1, function, counted_object(count), round % 4));
            co_await test::turns(round % 5);
        }
        co_await settled();
        EXPECT_EQ(count, 0);
    };
    run_bounded(main(work, living), two_workers());
}

TEST(a_call_on_a_worker, ends_with_the_runtime) {
    std::atomic<std::size_t> ended_on = nowhere;
    const auto main = [](std::atomic<std::size_t>& noted) -> task<> {
        spawn(on(1, wait_for_ever, &noted)).detach();
        co_await yield();
        co_await settled();
    };
    for (int round = 0; round < 20; ++round) {
        ended_on = nowhere;
        run_bounded(main(ended_on), two_workers());
        EXPECT_EQ(ended_on, 1u);
    }
}

TEST(a_call_on_a_worker, that_is_on_its_way_when_the_runtime_ends_is_freed) {
    std::atomic<int> living = 0;
    const auto work = [](counted_object) -> task<> { co_await sleep_for(24h); };
    const auto main = [](auto function, std::atomic<int>& count) -> task<> {
        for (std::size_t at = 0; at < 6; ++at)
            spawn(on(at % 3, function, counted_object(count))).detach();
        co_await yield();
    };
    for (int round = 0; round < 20; ++round) {
        run_bounded(main(work, living), runtime_options().workers(3));
        ASSERT_EQ(living, 0);
    }
}

#ifndef NDEBUG
TEST(on_a_worker_death, that_does_not_exist_nothing_is_called) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto main = []() -> task<> { co_await on(2, worker_here); };
    EXPECT_DEATH(run_bounded(main(), two_workers()), "there is such a worker");
}
#endif

}  // namespace
}  // namespace eddy::on_test
