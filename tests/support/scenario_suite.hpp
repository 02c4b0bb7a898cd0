#pragma once

#include "support/time_bound.hpp"

#include <eddy/core/task.hpp>
#include <eddy/testing/drop_everywhere.hpp>
#include <eddy/testing/fail_allocation_everywhere.hpp>
#include <eddy/testing/replace_new.hpp>
#include <eddy/testing/shuffle.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

// By this a program lists scenarios, and each is dropped everywhere, run with every allocation failing in
// turn, and run in random order:
//
//   const bool are_listed = eddy::test::list_scenarios({
//       {"an_echo", &echoes},
//       {"an_echo_with_few_buffers", &echoes, suite_options().runtime(few_buffers())},
//   });
//
// Only one source of a program may include this header, since it replaces operator new.

namespace eddy::test {

/// What a scenario throws that finds itself to be wrong. No tool takes it for an allocation that has failed.
inline void require(bool holds, const char* what) {
    if (!holds)
        throw std::logic_error(what);
}

/// The same if an outcome is not that error. Memory that is out is another error, and no finding by itself.
template <class T>
void require_error(const std::expected<T, std::error_code>& outcome, std::errc wanted, const char* what) {
    if (!outcome && outcome.error() == std::errc::not_enough_memory)
        throw std::system_error(outcome.error());
    require(!outcome && outcome.error() == wanted, what);
}

/// With what a suite's scenarios are run: bounded so that one which hangs is a finding, not a time-out.
[[nodiscard]] inline testing::scenario_options suite_options() {
    return testing::scenario_options()
        .run_time_max(std::chrono::seconds(20))
        .settle_max(std::chrono::seconds(5));
}

/// A scenario and its name, which becomes the name of a test suite.
class listed_scenario {
public:
    using maker = task<> (*)();

    listed_scenario(const char* name, maker make) : listed_scenario(name, make, suite_options()) {}
    listed_scenario(const char* name, maker make, testing::scenario_options options)
        : make_(make), options_(std::move(options)) {
        options_.name(name);
    }

    [[nodiscard]] const std::string& name() const noexcept { return options_.name(); }

    [[nodiscard]] testing::report dropped() const { return testing::drop_everywhere(make_, options_); }
    [[nodiscard]] testing::report short_of_memory() const {
        return testing::fail_allocation_everywhere(make_, options_);
    }
    [[nodiscard]] testing::report shuffled() const {
        constexpr std::uint64_t seeds = 20;
        return testing::shuffle_everywhere(make_, seeds, options_);
    }

private:
    maker make_;
    testing::scenario_options options_;
};

/// A test of one scenario by one tool.
class scenario_test : public ::testing::Test {
public:
    using tool = testing::report (listed_scenario::*)() const;

    scenario_test(listed_scenario tried, tool with) : tried_(std::move(tried)), tool_(with) {}

    void TestBody() override {
        const time_bound bound;
        const testing::report found = std::invoke(tool_, tried_);
        EXPECT_TRUE(found) << found.message();
        EXPECT_GT(found.points(), 0U) << "nothing was tried";
    }

private:
    listed_scenario tried_;
    tool tool_;
};

/// Registers three tests for each scenario. For the initialiser of a variable of the program; gives true.
inline bool list_scenarios(std::initializer_list<listed_scenario> scenarios) {
    constexpr std::pair<const char*, scenario_test::tool> tools[] = {
        {"leaves_nothing_wherever_it_is_dropped", &listed_scenario::dropped},
        {"fails_cleanly_with_every_allocation", &listed_scenario::short_of_memory},
        {"depends_on_no_order", &listed_scenario::shuffled}};
    for (const listed_scenario& each : scenarios)
        for (const auto& [test, tool] : tools)
            ::testing::RegisterTest(
                each.name().c_str(), test, nullptr, nullptr, __FILE__, __LINE__,
                [each, tool]() -> ::testing::Test* { return new scenario_test(each, tool); });
    return true;
}

}  // namespace eddy::test
