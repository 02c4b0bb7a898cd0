#pragma once

#include <eddy/core/detail/resume_observer.hpp>
#include <eddy/detail/shuffler.hpp>

#include <cstddef>
#include <cstdint>

namespace eddy::detail {

/// Resumes ready jobs in random order, except where an order is promised, and a random number of them in one
/// run, up to the budget.
class shuffled_order final : public resume_observer {
public:
    explicit shuffled_order(std::uint64_t seed) noexcept : shuffler_(seed) {}

    std::size_t choose_budget(std::size_t budget) noexcept override { return 1 + shuffler_.below(budget); }
    job& choose(ready_jobs& ready) noexcept override {
        ready_jobs passed;
        job* first_in_line = nullptr;
        for (std::size_t left = shuffler_.below(places); left != 0; --left) {
            job& next = ready.pop_front();
            if (first_in_line == nullptr && next.promised() == job::place::in_line)
                first_in_line = &next;
            passed.push_back(next);
            if (ready.empty()) {
                ready.splice_back(passed);
                first_in_line = nullptr;
            }
        }
        job* chosen = &ready.front();
        if (chosen->promised() == job::place::behind_all && !passed.empty())
            chosen = &passed.front();
        else if (chosen->promised() == job::place::in_line && first_in_line != nullptr)
            chosen = first_in_line;
        chosen->list_hook<ready_tag>::unlink();
        passed.splice_back(ready);
        ready.splice_back(passed);
        return *chosen;
    }
    bool on_suspended(job&) noexcept override { return true; }

private:
    // How far the job may stand behind; a shorter queue is gone through several times, which spares counting.
    static constexpr std::size_t places = 61;

    shuffler shuffler_;
};

}  // namespace eddy::detail
