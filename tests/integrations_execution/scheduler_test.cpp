#include "integrations_execution/senders.hpp"
#include "support/run_bounded.hpp"
#include "support/time_bound.hpp"

#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/integrations/execution.hpp>
#include <eddy/runtime/executor.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/worker.hpp>
#include <eddy/sync/event.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <thread>
#include <utility>

namespace eddy::scheduler_test {
namespace {

namespace standard = execution::detail::standard;
using execution::as_sender;
using execution::as_task;
using execution::scheduler;

static_assert(standard::scheduler<scheduler>);
static_assert(standard::sender<scheduler::sender>);

TEST(a_scheduler, names_the_place_where_its_sender_completes) {
    runtime two(runtime_options().workers(2));
    const scheduler first(executor::of_worker(two, 0));
    const scheduler second(executor::of_worker(two, 1));
    EXPECT_EQ(first, scheduler(executor::of_worker(two, 0)));
    EXPECT_NE(first, second);
    EXPECT_EQ(standard::get_completion_scheduler<standard::set_value_t>(
                  standard::get_env(standard::schedule(second))),
              second);
    EXPECT_EQ(standard::get_completion_scheduler<standard::set_stopped_t>(
                  standard::get_env(standard::schedule(second))),
              second);
}

TEST(a_scheduler, brings_a_foreign_thread_to_a_worker) {
    const test::time_bound bound;
    runtime two(runtime_options().workers(2));
    two.run([](runtime& of) -> task<> {
        event<std::optional<std::size_t>> arrived;
        std::thread other([&] {
            test::outcome seen;
            event<> is_over;
            seen.then = [&] {
                const auto* here = worker::current_or_null();
                arrived.set(here != nullptr ? std::optional(here->index()) : std::nullopt);
                is_over.set();
            };
            auto operation = standard::connect(standard::schedule(scheduler(executor::of_worker(of, 1))),
                                               test::recorder(seen));
            standard::start(operation);
            is_over.wait_blocking();
        });
        const auto where = co_await arrived.wait();
        EXPECT_EQ(where, 1u);
        other.join();
    }(two));
}

TEST(a_scheduler, lets_what_follows_start_tasks) {
    test::run_bounded([]() -> task<> {
        test::outcome seen;
        event<> is_over;
        const auto number = []() -> task<int> {
            co_await yield();
            co_return 6;
        };
        test::outcome inner;
        inner.then = [&] { is_over.set(); };
        auto second = standard::connect(as_sender(number()), test::recorder(inner));
        seen.then = [&] { standard::start(second); };
        auto first = standard::connect(standard::schedule(scheduler::this_worker()), test::recorder(seen));
        standard::start(first);
        EXPECT_FALSE(seen.is_complete());
        co_await is_over.wait();
        EXPECT_EQ(inner.value, 6);
    }());
}

TEST(a_scheduler, may_be_of_the_offload_pool) {
    test::run_bounded([]() -> task<> {
        const auto home = std::this_thread::get_id();
        std::thread::id there;
        test::outcome seen;
        event<> is_over;
        seen.then = [&] {
            there = std::this_thread::get_id();
            is_over.set();
        };
        auto operation = standard::connect(standard::schedule(scheduler(executor::pool(runtime::current()))),
                                           test::recorder(seen));
        standard::start(operation);
        co_await is_over.wait();
        EXPECT_TRUE(seen.value);
        EXPECT_NE(there, home);
    }());
}

TEST(a_request_to_stop, is_met_when_the_turn_has_come) {
    test::run_bounded([]() -> task<> {
        test::outcome seen;
        event<> is_over;
        seen.then = [&] { is_over.set(); };
        standard::inplace_stop_source source;
        auto operation = standard::connect(standard::schedule(scheduler::this_worker()),
                                           test::recorder(seen, source.get_token()));
        standard::start(operation);
        source.request_stop();
        EXPECT_FALSE(seen.is_complete());
        co_await is_over.wait();
        EXPECT_TRUE(seen.is_stopped());
    }());
}

TEST(the_end_of_the_runtime, completes_what_is_scheduled_as_stopped) {
    test::outcome seen;
    using operation_type = standard::connect_result_t<scheduler::sender, test::recorder>;
    std::optional<operation_type> operation;
    {
        runtime one(runtime_options().workers(1));
        struct connection {
            runtime& of;
            test::outcome& into;
            operator operation_type() const {
                return standard::connect(standard::schedule(scheduler(executor::of_worker(of, 0))),
                                         test::recorder(into));
            }
        };
        operation.emplace(connection{one, seen});
        standard::start(*operation);
    }
    EXPECT_TRUE(seen.is_stopped());
    EXPECT_EQ(seen.completions(), 1);
}

}  // namespace
}  // namespace eddy::scheduler_test
