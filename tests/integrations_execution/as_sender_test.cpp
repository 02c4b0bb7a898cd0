#include "integrations_execution/senders.hpp"
#include "support/run_bounded.hpp"
#include "support/tracked.hpp"

#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/integrations/execution.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/sync/event.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <utility>

namespace eddy::as_sender_test {
namespace {

using namespace std::chrono_literals;
namespace standard = execution::detail::standard;
using execution::as_sender;

static_assert(standard::sender<decltype(as_sender(std::declval<task<int>>()))>);
static_assert(!std::is_copy_constructible_v<execution::task_sender<int>>);

task<int> number_after_a_while(int number) {
    co_await sleep_for(1ms);
    co_return number;
}
task<int> fails() {
    co_await yield();
    throw std::runtime_error("no");
}
/// Waits for nothing, and says when it is gone.
task<int> waits_for_ever(event<>& begun, bool& is_gone) {
    struct notice {
        bool& gone;
        ~notice() { gone = true; }
    };
    const notice at_end{is_gone};
    const test::tracked local;
    begun.set();
    event<> never;
    co_await never.wait();
    co_return 0;
}

/// Lets a test wait for an outcome.
class awaited_outcome : public test::outcome {
public:
    awaited_outcome() {
        then = [this] { is_over_.set(); };
    }
    [[nodiscard]] auto wait() noexcept { return is_over_.wait(); }
    void wait_blocking() noexcept { is_over_.wait_blocking(); }

private:
    event<> is_over_;
};

TEST(a_task_as_a_sender, completes_with_its_result) {
    test::run_bounded([]() -> task<> {
        awaited_outcome seen;
        auto operation = standard::connect(as_sender(number_after_a_while(7)), test::recorder(seen));
        EXPECT_FALSE(seen.is_complete());
        standard::start(operation);
        co_await seen.wait();
        EXPECT_EQ(seen.value, 7);
        EXPECT_EQ(seen.completions(), 1);
    }());
}

TEST(a_task_as_a_sender, completes_with_what_it_throws) {
    test::run_bounded([]() -> task<> {
        awaited_outcome seen;
        auto operation = standard::connect(as_sender(fails()), test::recorder(seen));
        standard::start(operation);
        co_await seen.wait();
        EXPECT_TRUE(seen.error);
        EXPECT_THROW(std::rethrow_exception(seen.error), std::runtime_error);
    }());
}

TEST(any_awaitable_as_a_sender, completes_when_it_does) {
    test::run_bounded([]() -> task<> {
        awaited_outcome seen;
        auto operation = standard::connect(as_sender(sleep_for(1ms)), test::recorder(seen));
        standard::start(operation);
        co_await seen.wait();
        EXPECT_EQ(seen.value, 0);
    }());
}

TEST(a_request_to_stop, drops_the_task_before_the_sender_completes) {
    test::run_bounded([]() -> task<> {
        awaited_outcome seen;
        event<> begun;
        bool is_gone = false;
        bool was_gone = false;
        seen.then = [&, wake = seen.then] {
            was_gone = is_gone;
            wake();
        };
        standard::inplace_stop_source source;
        auto operation = standard::connect(as_sender(waits_for_ever(begun, is_gone)),
                                           test::recorder(seen, source.get_token()));
        standard::start(operation);
        co_await begun.wait();
        source.request_stop();
        co_await seen.wait();
        EXPECT_TRUE(seen.is_stopped());
        EXPECT_TRUE(was_gone);
        EXPECT_EQ(seen.completions(), 1);
    }());
}

TEST(a_request_to_stop, may_come_from_another_thread) {
    for (int round = 0; round < 50; ++round) {
        test::run_bounded([]() -> task<> {
            awaited_outcome seen;
            event<> begun;
            bool is_gone = false;
            standard::inplace_stop_source source;
            auto operation = standard::connect(as_sender(waits_for_ever(begun, is_gone)),
                                               test::recorder(seen, source.get_token()));
            standard::start(operation);
            co_await begun.wait();
            std::thread other([&source] { source.request_stop(); });
            co_await seen.wait();
            EXPECT_TRUE(seen.is_stopped() && is_gone);
            other.join();
        }());
    }
}

TEST(a_request_to_stop, before_the_start_lets_the_task_not_begin) {
    test::run_bounded([]() -> task<> {
        awaited_outcome seen;
        event<> begun;
        bool is_gone = false;
        standard::inplace_stop_source source;
        source.request_stop();
        auto operation = standard::connect(as_sender(waits_for_ever(begun, is_gone)),
                                           test::recorder(seen, source.get_token()));
        standard::start(operation);
        EXPECT_TRUE(seen.is_stopped());
        EXPECT_FALSE(begun.is_set());
        co_return;
    }());
}

TEST(a_request_to_stop, by_the_task_itself_is_met_at_its_next_suspension) {
    test::run_bounded([]() -> task<> {
        awaited_outcome seen;
        standard::inplace_stop_source source;
        const auto stops_itself = [](standard::inplace_stop_source& own) -> task<int> {
            own.request_stop();
            const test::tracked local;
            event<> never;
            co_await never.wait();
            co_return 1;
        };
        auto operation =
            standard::connect(as_sender(stops_itself(source)), test::recorder(seen, source.get_token()));
        standard::start(operation);
        co_await seen.wait();
        EXPECT_TRUE(seen.is_stopped());
    }());
    test::tracked::expect_none();
}

TEST(a_result_that_came_first, wins_over_a_request_to_stop) {
    test::run_bounded([]() -> task<> {
        awaited_outcome seen;
        standard::inplace_stop_source source;
        const auto stops_at_its_end = [](standard::inplace_stop_source& own) -> task<int> {
            own.request_stop();
            co_return 3;
        };
        auto operation =
            standard::connect(as_sender(stops_at_its_end(source)), test::recorder(seen, source.get_token()));
        standard::start(operation);
        co_await seen.wait();
        EXPECT_EQ(seen.value, 3);
        EXPECT_FALSE(seen.is_stopped());
    }());
}

TEST(an_operation_of_a_task, may_be_destroyed_by_its_completion) {
    test::run_bounded([]() -> task<> {
        awaited_outcome seen;
        using operation_type = standard::connect_result_t<execution::task_sender<int>, test::recorder>;
        // Operations do not move, so it is made where it stays.
        struct holder {
            holder(task<int> work, test::outcome& into)
                : operation(standard::connect(as_sender(std::move(work)), test::recorder(into))) {}
            operation_type operation;
        };
        auto held = std::make_unique<holder>(number_after_a_while(1), seen);
        seen.then = [&, wake = seen.then] {
            held.reset();
            wake();
        };
        standard::start(held->operation);
        co_await seen.wait();
        EXPECT_EQ(seen.value, 1);
    }());
}

TEST(the_end_of_the_runtime, completes_a_sender_as_stopped) {
    test::outcome seen;
    event<> begun;
    bool is_gone = false;
    auto operation = standard::connect(as_sender(waits_for_ever(begun, is_gone)), test::recorder(seen));
    test::run_bounded([](auto& started, event<>& has_begun) -> task<> {
        standard::start(started);
        co_await has_begun.wait();
    }(operation, begun));
    EXPECT_TRUE(seen.is_stopped() && is_gone);
    EXPECT_EQ(seen.completions(), 1);
}

TEST(the_end_of_the_runtime, completes_a_sender_that_has_not_begun) {
    test::outcome seen;
    event<> begun;
    bool is_gone = false;
    auto operation = standard::connect(as_sender(waits_for_ever(begun, is_gone)), test::recorder(seen));
    test::run_bounded([](auto& started) -> task<> {
        standard::start(started);
        co_return;
    }(operation));
    EXPECT_TRUE(seen.is_stopped());
    EXPECT_EQ(seen.completions(), 1);
}

}  // namespace
}  // namespace eddy::as_sender_test
