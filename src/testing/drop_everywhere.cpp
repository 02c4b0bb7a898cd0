#include "testing/stage.hpp"

#include <eddy/core/detail/resume_observer.hpp>
#include <eddy/testing/drop_everywhere.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace eddy::testing {

namespace {

enum class moment : std::uint8_t { at_once, after_turn, after_wait };
constexpr std::array moments{moment::at_once, moment::after_turn, moment::after_wait};

std::string_view to_string(moment when) noexcept {
    switch (when) {
        case moment::at_once:
            return "at once";
        case moment::after_turn:
            return "after a turn";
        case moment::after_wait:
            break;
    }
    return "once a task is ready";
}

/// Counts suspensions and stops the loop at the one that is looked for. What is resumed next is left to the
/// observer before it, if there is one.
class suspension_counter final : public detail::resume_observer {
public:
    suspension_counter(stage& counted, std::size_t wanted, moment when) noexcept
        : stage_(counted),
          before_(counted.main_worker().loop().observe(this)),
          wanted_(wanted),
          when_(when) {}
    suspension_counter(const suspension_counter&) = delete;
    suspension_counter& operator=(const suspension_counter&) = delete;
    ~suspension_counter() override { stage_.main_worker().loop().observe(before_); }

    std::size_t choose_budget(std::size_t budget) noexcept override {
        if (is_reached_)
            return 0;
        return before_ != nullptr ? before_->choose_budget(budget) : budget;
    }
    detail::job& choose(ready_jobs& ready) noexcept override {
        return before_ != nullptr ? before_->choose(ready) : ready.pop_front();
    }
    bool on_suspended(detail::job&) noexcept override {
        if (!stage_.has_main() || stage_.main_has_ended() || ++seen_ != wanted_)
            return true;
        is_reached_ = true;
        if (when_ == moment::at_once)
            stage_.drop_main();
        return false;
    }

    [[nodiscard]] bool is_reached() const noexcept { return is_reached_; }
    /// Whether the turns are used up. Called in the turn that reached it, before its wait, and from then on.
    [[nodiscard]] bool is_over() const noexcept {
        if (!is_reached_)
            return stage_.main_has_ended();
        return when_ != moment::after_wait || stage_.main_worker().loop().has_ready();
    }

private:
    stage& stage_;
    detail::resume_observer* before_;
    std::size_t wanted_;
    moment when_;
    std::size_t seen_ = 0;
    bool is_reached_ = false;
};

// Returns whether the suspension was reached.
bool drop_once(stage& at, std::size_t suspension, moment when) {
    const std::string run =
        "dropped at suspension " + std::to_string(suspension) + ", " + std::string(to_string(when));
    at.prepare();
    bool is_reached = false;
    std::exception_ptr thrown;
    try {
        at.begin();
        suspension_counter counter(at, suspension, when);
        at.turn_until([&] { return counter.is_over(); });
        is_reached = counter.is_reached();
        thrown = at.end();
    } catch (...) {
        thrown = std::current_exception();
    }
    if (thrown)
        at.find(run, thrown);
    at.check(is_reached ? run : "not dropped");
    return is_reached;
}

}  // namespace

report drop_everywhere(scenario tried, const scenario_options& options) {
    report found("drop_everywhere", options.name());
    stage here(tried, options, options.runtime(), found);
    bool any_reached = true;
    for (std::size_t suspension = 1; any_reached; suspension += options.stride()) {
        any_reached = false;
        for (const moment when : moments) {
            if (!here.may_run())
                return found;
            any_reached |= drop_once(here, suspension, when);
        }
        if (any_reached)
            found.count_point();
    }
    return found;
}

}  // namespace eddy::testing
