#pragma once

#include <eddy/base/shuffler.hpp>
#include <eddy/core/resume_observer.hpp>

namespace eddy::detail {

/// Resumes ready jobs in random order, and a random number of them in one go, as far as the budget.
class shuffled_order final : public resume_observer {
public:
    explicit shuffled_order(std::uint64_t seed) noexcept : shuffler_(seed) {}

    std::size_t choose_budget(std::size_t budget) noexcept override { return 1 + shuffler_.below(budget); }
    job& choose(ready_jobs& ready) noexcept override { return shuffler_.take(ready); }
    bool on_suspended(job&) noexcept override { return true; }

private:
    shuffler shuffler_;
};

}  // namespace eddy::detail
