#include "baseline/callback.hpp"
#include "run.hpp"
#include "support/ratio.hpp"
#include "task.hpp"
#include "when_all.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace {

// As if it were elsewhere: what the compiler sees through costs nothing.
[[gnu::noinline]] lab::task<long> constant(long value) {
    co_return value;
}

lab::task<long> sum_of(long count) {
    long sum = 0;
    for (long at = 0; at < count; ++at)
        sum += co_await constant(at);
    co_return sum;
}

lab::task<long> sum_of_all(long count) {
    std::vector<lab::task<long>> tasks;
    tasks.reserve(static_cast<std::size_t>(count));
    for (long at = 0; at < count; ++at)
        tasks.push_back(constant(at));
    long sum = 0;
    for (const long each : co_await lab::when_all(std::move(tasks)))
        sum += each;
    co_return sum;
}

TEST(speed, an_await_beside_a_callback) {
    constexpr long count = 200'000;
    const double measured = course::ratio([] { course::keep(lab::run(sum_of(count))); },
                                          [] { course::keep(baseline::sum_of(count)); });
    course::expect_ratio(measured, 1.2,
                         "an await should cost one allocation and two jumps: look for a second allocation, "
                         "or for std::function, in "
                         "task or awaiter",
                         "what-it-costs");
}

TEST(speed, when_all_beside_counted_callbacks) {
    constexpr long count = 20'000;
    const double measured = course::ratio([] { course::keep(lab::run(sum_of_all(count))); },
                                          [] { course::keep(baseline::sum_of_all(count)); });
    course::expect_ratio(measured, 2.0, "a branch should cost one frame beside its task's", "what-it-costs");
}

}  // namespace
