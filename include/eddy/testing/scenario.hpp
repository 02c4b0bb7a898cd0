#pragma once

#include <eddy/core/task.hpp>
#include <eddy/core/unique_function.hpp>
#include <eddy/runtime/runtime_options.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>

namespace eddy::testing {

/// What the tools of this module run repeatedly: called afresh for each run, on worker 0 of the tool's
/// runtime, it returns the main task of the run. Each run must leave the world as it found it, the callable's
/// own state included.
using scenario = unique_function<task<>()>;

/// How a scenario is run and judged. Setters chain: scenario_options().name("echo").findings_max(1).
class scenario_options {
public:
    scenario_options() = default;

    /// What the report calls the scenario.
    scenario_options& name(std::string text) {
        name_ = std::move(text);
        return *this;
    }
    /// What the runtime is made with; one worker, unless it says otherwise.
    scenario_options& runtime(const runtime_options& options) {
        runtime_ = options;
        return *this;
    }
    /// Called before each run, outside of every task and with nothing of the last run left.
    scenario_options& between(std::function<void()> hook) {
        between_ = std::move(hook);
        return *this;
    }
    /// The greatest number of runs; reaching it is a finding.
    scenario_options& runs_max(std::size_t count) noexcept {
        runs_max_ = count;
        return *this;
    }
    /// Only every so many suspensions, or allocations, is one tried, beginning with the first: for a scenario
    /// with hundreds of them. Requires: 1 at least.
    scenario_options& stride(std::size_t points) noexcept {
        stride_ = points;
        return *this;
    }
    /// After how many findings the tool gives up.
    scenario_options& findings_max(std::size_t count) noexcept {
        findings_max_ = count;
        return *this;
    }
    /// How long a single run may take. What takes longer, because a wake-up was lost, say, is a finding.
    scenario_options& run_time_max(std::chrono::milliseconds time) noexcept {
        run_time_max_ = time;
        return *this;
    }
    /// How long, and how many turns of the worker, what ends asynchronously may take after a run: the closing
    /// of descriptors, cancelled receives, offloaded calls, tasks on other workers. What is left then is a
    /// finding. After the first hundred a turn lasts 1 ms, unless something happens.
    scenario_options& settle_max(std::chrono::milliseconds time, std::size_t turns = 10'000) noexcept {
        settle_time_max_ = time;
        settle_turns_max_ = turns;
        return *this;
    }
    /// Whether the process's open descriptors are counted: not where other threads of the test open some.
    scenario_options& counts_descriptors(bool counted) noexcept {
        counts_descriptors_ = counted;
        return *this;
    }

    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    [[nodiscard]] const runtime_options& runtime() const noexcept { return runtime_; }
    [[nodiscard]] const std::function<void()>& between() const noexcept { return between_; }
    [[nodiscard]] std::size_t runs_max() const noexcept { return runs_max_; }
    [[nodiscard]] std::size_t stride() const noexcept { return stride_; }
    [[nodiscard]] std::size_t findings_max() const noexcept { return findings_max_; }
    [[nodiscard]] std::chrono::milliseconds run_time_max() const noexcept { return run_time_max_; }
    /// How long a run may take to come to rest.
    [[nodiscard]] std::chrono::milliseconds settle_time_max() const noexcept { return settle_time_max_; }
    /// How many turns of the worker that may take.
    [[nodiscard]] std::size_t settle_turns_max() const noexcept { return settle_turns_max_; }
    [[nodiscard]] bool counts_descriptors() const noexcept { return counts_descriptors_; }

private:
    std::string name_;
    runtime_options runtime_;
    std::function<void()> between_;
    std::size_t runs_max_ = 10'000;
    std::size_t stride_ = 1;
    std::size_t findings_max_ = 3;
    std::chrono::milliseconds run_time_max_ = std::chrono::seconds(60);
    std::chrono::milliseconds settle_time_max_ = std::chrono::seconds(20);
    std::size_t settle_turns_max_ = 10'000;
    bool counts_descriptors_ = true;
};

}  // namespace eddy::testing
