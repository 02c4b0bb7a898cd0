#include "support/hang_report.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/sync/event.hpp>

#include <gtest/gtest.h>

#include <chrono>

namespace eddy::hang_report_test {
namespace {

task<> wait_for_what_never_comes(event<>& never) {
    co_await never.wait();
}

task<> hang() {
    test::report_hang_after(std::chrono::milliseconds(1), "this test");
    event<> never;
    const auto held = spawn(wait_for_what_never_comes(never));
    co_await never.wait();
}

TEST(a_test_that_hangs, names_the_coroutines_that_are_alive) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_DEATH(run(hang()),
                 "this test does not end within its bound(.|\n)*"
                 "hang\\(\\)(.|\n)*wait_for_what_never_comes\\(eddy::event<void>&\\)");
}

}  // namespace
}  // namespace eddy::hang_report_test
