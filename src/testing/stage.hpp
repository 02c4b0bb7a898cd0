#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/runtime/detail/deadline.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/worker.hpp>
#include <eddy/testing/report.hpp>
#include <eddy/testing/resource_snapshot.hpp>
#include <eddy/testing/scenario.hpp>

#include <chrono>
#include <cstddef>
#include <exception>
#include <latch>
#include <string>
#include <utility>

namespace eddy::testing {

/// A runtime in which a tool runs a scenario, and what must be the same before and after. Nothing of it is a
/// task: it turns worker 0 by hand, so that every task there is the scenario's.
///
/// A run: begin(), turn_until(), end(), check().
class stage {
public:
    stage(scenario& tried, const scenario_options& options, const runtime_options& made_with, report& found);
    stage(const stage&) = delete;
    stage& operator=(const stage&) = delete;

    [[nodiscard]] eddy::detail::worker_core& main_worker() noexcept { return worker_; }
    [[nodiscard]] std::size_t workers() const noexcept { return runtime_.workers(); }

    /// Calls a function on a worker's thread, outside of any task, and waits for its end. Allocates nothing
    /// there.
    template <class Function>
    void call_on(std::size_t worker, Function function) {
        if (worker == 0)
            return function();
        std::latch called(1);
        runtime_.post_on(worker, [&function, &called]() noexcept {
            function();
            called.count_down();
        });
        called.wait();
    }

    /// Whether there may be another run: not after too many findings, or runs, which is a finding.
    [[nodiscard]] bool may_run();

    /// Counts what is there before a run.
    void prepare();

    /// Starts the scenario. Throws what making its tasks throws.
    void begin();
    [[nodiscard]] bool has_main() const noexcept { return static_cast<bool>(main_); }
    [[nodiscard]] bool main_has_ended() const noexcept { return main_.done(); }
    void drop_main() noexcept { main_.cancel(); }

    /// Turns until `is_done()`, or until the run has taken too long. Checks before a turn and before its
    /// wait.
    template <class Predicate>
    void turn_until(Predicate is_done) {
        const eddy::detail::worker_core::enter_guard here(worker_);
        alarm limit(worker_, options_.run_time_max());
        worker_.run_until([&] { return is_done() || limit.has_rung(); });
        is_late_ = is_late_ || limit.has_rung();
    }

    /// Ends the run: drops the main task unless it has ended. Returns the exception that left it, if any.
    [[nodiscard]] std::exception_ptr end() noexcept;

    /// Waits until all is as before the run, and adds what is not to the report. `run` names the run.
    void check(const std::string& run);
    /// Adds a finding.
    void find(const std::string& run, const std::string& what) { report_.add(run + ": " + what); }
    /// Adds an exception that left the main task.
    void find(const std::string& run, const std::exception_ptr& thrown);

private:
    /// A timer of the worker that records when a time is up, and then wakes the worker.
    class alarm : private detail::timer {
    public:
        alarm(eddy::detail::worker_core& here, std::chrono::milliseconds length) noexcept : timer(&ring) {
            here.timers().arm(*this, detail::deadline_after(here.now(), length));
        }
        [[nodiscard]] bool has_rung() const noexcept { return !is_armed(); }

    private:
        static void ring(detail::timer&) noexcept {}
    };

    [[nodiscard]] resource_snapshot count();
    [[nodiscard]] bool is_quiet(const resource_snapshot& counted) const noexcept;
    void turn_once(bool may_wait);
    template <class Predicate>
    resource_snapshot settle(Predicate is_settled);

    scenario& tried_;
    scenario_options options_;
    report& report_;
    runtime runtime_;
    eddy::detail::worker_core& worker_;
    handle<> main_;
    resource_snapshot before_;
    bool is_late_ = false;
};

}  // namespace eddy::testing
