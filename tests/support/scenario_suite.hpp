#pragma once

#include "support/require.hpp"
#include "support/time_bound.hpp"
#include "support/tracked.hpp"

#include <eddy/core/task.hpp>
#include <eddy/detail/allocation_window.hpp>
#include <eddy/detail/build.hpp>
#include <eddy/runtime/runtime_options.hpp>
#include <eddy/testing/testing.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <source_location>
#include <string>
#include <utility>

// A source of scenarios includes this header and lists them, in a program that replaces operator new
// (eddy_replaced_new in CMake),
//
//     const scenario_suite listed({{"a_task_that_yields", &yields},
//                                  {"an_echo", &echoes, suite_options().stride(3)}});
//
// has three tests of each: dropped at every suspension, with every allocation failing in turn, and shuffled
// under a number of seeds. Each says how many runs and points it had.

namespace eddy::test {

/// With what scenarios are run: bounded, so that one which hangs is a finding and not a time-out.
[[nodiscard]] inline eddy::testing::scenario_options suite_options() {
    return eddy::testing::scenario_options()
        .runtime(runtime_options().workers(1).offload_threads(2))
        .run_time_max(std::chrono::seconds(20))
        .settle_max(std::chrono::seconds(5))
        .between(&tracked::expect_none);
}

/// A scenario and what it needs.
class listed_scenario {
public:
    using function = task<> (*)();

    listed_scenario(const std::string& name, function run) : listed_scenario(name, run, suite_options()) {}
    listed_scenario(const std::string& name, function run, eddy::testing::scenario_options options)
        : run_(run), options_(std::move(options)) {
        options_.name(name);
    }

    listed_scenario& workers(std::size_t count) {
        options_.runtime(runtime_options().workers(count).offload_threads(2));
        return *this;
    }
    /// How many suspensions it has for certain: fewer mean that it was not what it says. One by default.
    listed_scenario& suspensions_min(std::size_t count) noexcept {
        suspensions_min_ = count;
        return *this;
    }

    /// The scenario is skipped for that reason where `is_there` returns false.
    listed_scenario& needs(bool (*is_there)(), const char* reason) noexcept {
        is_there_ = is_there;
        reason_ = reason;
        return *this;
    }

    [[nodiscard]] const std::string& name() const noexcept { return options_.name(); }
    [[nodiscard]] function run() const noexcept { return run_; }
    [[nodiscard]] std::size_t suspensions_min() const noexcept { return suspensions_min_; }
    /// Why it cannot be run here, or null.
    [[nodiscard]] const char* obstacle() const {
        return is_there_ == nullptr || is_there_() ? nullptr : reason_;
    }
    [[nodiscard]] const eddy::testing::scenario_options& options() const noexcept { return options_; }

private:
    function run_;
    eddy::testing::scenario_options options_;
    std::size_t suspensions_min_ = 1;
    bool (*is_there_)() = nullptr;
    const char* reason_ = nullptr;
};

/// How a scenario is tried: gives the report, after it has looked at the number of its points.
using scenario_trial = eddy::testing::report (*)(const listed_scenario&);

inline eddy::testing::report drop_listed(const listed_scenario& tried) {
    auto found = eddy::testing::drop_everywhere(tried.run(), tried.options());
    EXPECT_GE(found.points(), tried.suspensions_min());
    return found;
}

inline eddy::testing::report fail_listed(const listed_scenario& tried) {
    EXPECT_TRUE(detail::allocation_window::is_new_replaced() || EDDY_THREAD_SANITIZED);
    auto found = eddy::testing::fail_allocation_everywhere(tried.run(), tried.options());
    EXPECT_GE(found.points(), 2U) << "its own frame and job at least";
    return found;
}

inline eddy::testing::report shuffle_listed(const listed_scenario& tried) {
    constexpr std::uint64_t seeds = 20;
    auto found = eddy::testing::shuffle_everywhere(tried.run(), seeds, tried.options());
    EXPECT_EQ(found.points(), seeds);
    return found;
}

/// A test of one scenario by one tool.
class scenario_test : public ::testing::Test {
public:
    scenario_test(listed_scenario tried, scenario_trial trial) : tried_(std::move(tried)), trial_(trial) {}

    void TestBody() override {
        if (const char* const obstacle = tried_.obstacle(); obstacle != nullptr)
            GTEST_SKIP() << obstacle;
        const time_bound bound;
        const auto found = trial_(tried_);
        EXPECT_TRUE(found) << found.message();
        tracked::expect_none();
        std::printf("%s\n", found.message().c_str());
    }

private:
    listed_scenario tried_;
    scenario_trial trial_;
};

/// Registers the tests of a source's scenarios.
class scenario_suite {
public:
    scenario_suite(std::initializer_list<listed_scenario> listed,
                   std::source_location where = std::source_location::current()) {
        for (const listed_scenario& each : listed) {
            add(each, where, "may_be_dropped_everywhere", &drop_listed);
            add(each, where, "survives_each_failing_allocation", &fail_listed);
            add(each, where, "needs_no_order_that_nobody_promised", &shuffle_listed);
        }
    }

private:
    static void add(const listed_scenario& tried, const std::source_location& where, const char* test,
                    scenario_trial trial) {
        ::testing::RegisterTest(tried.name().c_str(), test, nullptr, nullptr, where.file_name(),
                                static_cast<int>(where.line()),
                                [=]() -> scenario_test* { return new scenario_test(tried, trial); });
    }
};

}  // namespace eddy::test
