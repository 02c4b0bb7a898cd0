#pragma once

#include <eddy/detail/build.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace eddy::testing {

/// What a tool of this module has found. Independent of test frameworks: with GoogleTest, for example,
/// `const auto found = drop_everywhere(echo); EXPECT_TRUE(found) << found.message();`.
class report {
public:
    /// `tool` is the function's name, `scenario` what was run, or empty.
    report(std::string tool, const std::string& scenario) : title_(std::move(tool)) {
        title_ += "(" + scenario + ")";
    }

    /// Whether nothing was found.
    [[nodiscard]] bool passed() const noexcept { return findings_.empty(); }
    /// Whether there are no findings.
    [[nodiscard]] explicit operator bool() const noexcept { return passed(); }

    /// One line for each finding, each naming the run; empty if there is none.
    [[nodiscard]] const std::vector<std::string>& findings() const noexcept { return findings_; }
    /// How often the scenario was run.
    [[nodiscard]] std::size_t runs() const noexcept { return runs_; }
    /// How many different points were tried: suspensions, seeds or allocations.
    [[nodiscard]] std::size_t points() const noexcept { return points_; }
    /// All of it in words.
    [[nodiscard]] std::string message() const;

    // -- for the tools --

    /// Counts a run of the scenario.
    void count_run() noexcept { ++runs_; }
    /// Counts a suspension or an allocation that was tried.
    void count_point() noexcept { ++points_; }
    /// Adds a finding.
    void add(std::string finding) { findings_.push_back(std::move(finding)); }

private:
    std::string title_;
    std::size_t runs_ = 0;
    std::size_t points_ = 0;
    std::vector<std::string> findings_;
};

}  // namespace eddy::testing
