#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

namespace eddy::explore {

/// How a model is explored.
class settings {
public:
    /// `name` stands in reports and in EDDY_EXPLORE_REPLAY.
    explicit settings(const char* name) noexcept : name_(name) {}

    /// Every schedule, also those that differ only in the order of independent steps.
    settings& unreduced() noexcept {
        is_reduced_ = false;
        return *this;
    }
    /// Only schedules that take the turn from a thread that could go on at most this often, and under a
    /// sanitizer once less; unreduced.
    settings& preemptions(int count_max) noexcept {
        preemptions_max_ = count_max;
        return unreduced();
    }
    /// Fails after so many schedules.
    settings& schedules(std::uint64_t count_max) noexcept {
        schedules_max_ = count_max;
        return *this;
    }

    [[nodiscard]] const char* name() const noexcept { return name_; }
    [[nodiscard]] bool is_reduced() const noexcept { return is_reduced_; }
    [[nodiscard]] int preemptions_max() const noexcept { return preemptions_max_; }
    [[nodiscard]] std::uint64_t schedules_max() const noexcept { return schedules_max_; }

private:
    const char* name_;
    bool is_reduced_ = true;
    int preemptions_max_ = -1;
    std::uint64_t schedules_max_ = 5'000'000;
};

struct result {
    bool has_passed = true;
    std::uint64_t schedules = 0;
    std::uint64_t redundant = 0;  // of them: whose kind was known before they had ended
    std::string schedule;         // the one that failed
    std::string report;           // what failed, and its steps
};

/// What is explored. Made once; each run makes and destroys its state.
class model {
public:
    model(const model&) = delete;
    model& operator=(const model&) = delete;
    [[nodiscard]] virtual unsigned threads() const noexcept = 0;
    virtual void make_state() = 0;
    virtual void run(unsigned thread) = 0;
    /// After all threads have ended.
    virtual void finish() = 0;
    virtual void destroy_state() = 0;

protected:
    model() = default;
    ~model() = default;
};

/// Runs the model under every schedule until one fails, and says on standard output how many there were.
/// EDDY_EXPLORE_REPLAY="<name>:<schedule>" runs the model of that name under that schedule only, and prints
/// its steps.
[[nodiscard]] result explore_model(const settings& how, model& explored);

/// Fails the current run, which ends here. `where` and the steps are part of the report.
[[noreturn]] void fail(const std::string& message,
                       const std::source_location& where = std::source_location::current());

/// Says that what this thread has read up to now is not what the next relax() waits for a change of: there is
/// less to explore then.
void forget_reads() noexcept;

/// What a failed run leaves behind is neither destroyed nor reported as leaked.
void keep_abandoned(void* left);

/// The model thread that runs, counted from 0.
[[nodiscard]] unsigned current_thread() noexcept;

#define EXPLORE_CHECK(condition)                            \
    do {                                                    \
        if (!(condition))                                   \
            ::eddy::explore::fail("not true: " #condition); \
    } while (false)

/// Explores threads that share a State, which is made anew for each run.
template <class State>
[[nodiscard]] result explore(const settings& how, std::initializer_list<void (*)(State&)> threads,
                             void (*finish)(State&) = nullptr) {
    class shared_state final : public model {
    public:
        shared_state(std::initializer_list<void (*)(State&)> functions, void (*last)(State&))
            : functions_(functions), last_(last) {}
        unsigned threads() const noexcept override { return static_cast<unsigned>(functions_.size()); }
        void make_state() override { state_.emplace(); }
        void run(unsigned thread) override { functions_[thread](*state_); }
        void finish() override {
            if (last_ != nullptr)
                last_(*state_);
        }
        void destroy_state() override { state_.reset(); }

    private:
        std::vector<void (*)(State&)> functions_;
        void (*last_)(State&);
        std::optional<State> state_;
    };
    // A run that has failed leaves its state as it was.
    auto* const made = new shared_state(threads, finish);
    const result reported = explore_model(how, *made);
    if (reported.has_passed)
        delete made;
    else
        keep_abandoned(made);
    return reported;
}

}  // namespace eddy::explore
