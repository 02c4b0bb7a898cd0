#include "support/manual_loop.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/stop_scope.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <stop_token>
#include <thread>
#include <utility>

namespace eddy::stop_scope_test {
namespace {

task<int> count_until_stopped() {
    for (int count = 0;; ++count) {
        const bool is_over = co_await check_stop();
        if (is_over)
            co_return count;
    }
}
task<int> count_in_a_child() {
    auto child = spawn(count_until_stopped());
    co_return co_await child;
}
task<bool> is_stopped() {
    co_return co_await check_stop();
}

TEST(stop_scope, ends_a_computation_with_what_it_has) {
    test::manual_loop loop;
    stop_scope scope;
    auto running = spawn(scope.run(count_until_stopped()));
    for (int turn = 0; turn < 10; ++turn)
        loop.step();
    EXPECT_FALSE(running.done());
    scope.request_stop();
    loop.run();
    EXPECT_EQ(running.get(), 9);
}

TEST(stop_scope, reaches_the_tasks_that_are_spawned_inside) {
    test::manual_loop loop;
    stop_scope scope;
    auto running = spawn(scope.run(count_in_a_child()));
    loop.step();
    loop.step();
    scope.request_stop();
    loop.run();
    EXPECT_TRUE(running.done());
    running.get();
}

TEST(stop_scope, does_not_reach_tasks_outside_or_what_its_task_does_later) {
    test::manual_loop loop;
    const auto work = []() -> task<> {
        stop_scope scope;
        scope.request_stop();
        EXPECT_TRUE(co_await scope.run(is_stopped()));
        EXPECT_FALSE(co_await check_stop());
        auto child = spawn(is_stopped());
        EXPECT_FALSE(co_await child);
    };
    auto running = spawn(work());
    loop.run();
    running.get();
}

TEST(stop_scope, that_is_inner_is_asked_by_a_request_to_the_outer_one) {
    test::manual_loop loop;
    stop_scope outer;
    stop_scope inner;
    auto running = spawn(outer.run(inner.run(is_stopped())));
    outer.request_stop();
    loop.run();
    EXPECT_TRUE(running.get());
    EXPECT_FALSE(inner.stop_requested());
}

TEST(stop_scope, may_go_before_its_tasks) {
    test::manual_loop loop;
    auto scope = std::make_unique<stop_scope>();
    auto running = spawn(scope->run(count_in_a_child()));
    loop.step();
    scope->request_stop();
    scope.reset();
    loop.run();
    EXPECT_EQ(running.get(), 0);
}

TEST(stop_scope, shares_a_stop_source_and_gives_tokens) {
    test::manual_loop loop;
    std::stop_source source;
    const stop_scope scope(source);
    auto running = spawn(scope.run(is_stopped()));
    EXPECT_FALSE(scope.token().stop_requested());
    std::thread([&] { source.request_stop(); }).join();
    EXPECT_TRUE(scope.token().stop_requested());
    loop.run();
    EXPECT_TRUE(running.get());
}

TEST(a_task_in_a_stop_scope, can_be_dropped) {
    test::manual_loop loop;
    stop_scope scope;
    auto running = spawn(scope.run(count_in_a_child()));
    loop.step();
    loop.step();
    running.cancel();
    EXPECT_EQ(loop.run(), 0u);
}

}  // namespace
}  // namespace eddy::stop_scope_test
