#include "testing/stage.hpp"

#include "detail/exception_text.hpp"

namespace eddy::testing {

namespace {

task<eddy::detail::worker_core*> find_worker() {
    co_return &eddy::detail::worker_core::current();
}

task<resource_snapshot> count_here() {
    co_return resource_snapshot::take();
}

task<resource_snapshot> count_others() {
    runtime& here = runtime::current();
    resource_snapshot sum;
    for (std::size_t index = 1; index < here.workers(); ++index) {
        auto counting = here.spawn_on(index, count_here());
        sum += co_await counting;
    }
    co_return sum;
}

runtime_options with_a_worker(runtime_options options) {
    if (options.workers() == 0)
        options.workers(1);
    return options;
}

constexpr std::size_t turns_without_wait = 100;
constexpr auto settling_turn = std::chrono::milliseconds(1);

}  // namespace

stage::stage(scenario& tried, const scenario_options& options, const runtime_options& made_with,
             report& found)
    : tried_(tried),
      options_(options),
      report_(found),
      runtime_(with_a_worker(made_with)),
      worker_(*runtime_.run(find_worker())) {}

bool stage::may_run() {
    if (report_.findings().size() >= options_.findings_max())
        return false;
    if (report_.runs() < options_.runs_max())
        return true;
    report_.add("not through after " + std::to_string(report_.runs()) + " runs");
    return false;
}

void stage::prepare() {
    if (options_.between())
        options_.between()();
    before_ = settle([this](const resource_snapshot& now) { return is_quiet(now); });
    is_late_ = false;
    report_.count_run();
}

void stage::begin() {
    const eddy::detail::worker_core::enter_guard here(worker_);
    main_ = spawn(tried_(), "scenario");
}

std::exception_ptr stage::end() noexcept {
    const eddy::detail::worker_core::enter_guard here(worker_);
    if (!main_ || !main_.done()) {
        main_.cancel();
        return nullptr;
    }
    try {
        main_.get();
    } catch (...) {
        return std::current_exception();
    }
    return nullptr;
}

void stage::check(const std::string& run) {
    if (is_late_)
        find(run, "did not end within " + std::to_string(options_.run_time_max().count()) + " ms");
    const resource_snapshot after = settle([this](const resource_snapshot& now) { return now == before_; });
    if (after != before_)
        find(run, "left behind " + difference(before_, after));
}

void stage::find(const std::string& run, const std::exception_ptr& thrown) {
    find(run, "an exception left the scenario: " + eddy::detail::exception_text(thrown));
}

// The other workers are counted by tasks, which are the same in number each time.
resource_snapshot stage::count() {
    resource_snapshot counted;
    if (runtime_.workers() > 1)
        counted += runtime_.run(count_others());
    const eddy::detail::worker_core::enter_guard here(worker_);
    const resource_snapshot own = resource_snapshot::take();
    counted += own;
    counted.offloaded = own.offloaded;
    counted.descriptors = options_.counts_descriptors() ? own.descriptors : 0;
    return counted;
}

// Nothing is in flight that a later census could miss. What an earlier run has leaked stays.
bool stage::is_quiet(const resource_snapshot& counted) const noexcept {
    return counted.ready == 0 && counted.offloaded == 0 && counted.messages == 0;
}

// run_until() checks before the turn, before its wait, and after it.
void stage::turn_once(bool may_wait) {
    const eddy::detail::worker_core::enter_guard here(worker_);
    const alarm limit(worker_, settling_turn);
    int requested = 0;
    worker_.run_until([&] {
        ++requested;
        return requested == 3 || (requested == 2 && !may_wait);
    });
}

template <class Predicate>
resource_snapshot stage::settle(Predicate is_settled) {
    const auto deadline = detail::deadline_after(worker_.now(), options_.settle_time_max());
    resource_snapshot counted = count();
    for (std::size_t turn = 0;
         !is_settled(counted) && turn < options_.settle_turns_max() && worker_.now() < deadline; ++turn) {
        turn_once(turn >= turns_without_wait);
        counted = count();
    }
    return counted;
}

}  // namespace eddy::testing
