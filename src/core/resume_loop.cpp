#include <eddy/core/detail/resume_loop.hpp>
#include <eddy/core/detail/transfer.hpp>

#include <utility>

namespace eddy::detail {

constinit thread_local resume_loop* resume_loop::current_ = nullptr;
constinit thread_local std::uint64_t resume_loop::budget_ = 0;

resume_loop::~resume_loop() {
    EDDY_ASSERT(detached_.empty(), "detached jobs are dropped before their loop is destroyed");
    EDDY_ASSERT(!has_ready(), "no handle outlives the runtime on which its task runs");
}

resume_loop* resume_loop::enter(resume_loop* loop) noexcept {
    return std::exchange(current_, loop);
}

std::size_t resume_loop::run(std::size_t budget) {
    if (observer_ != nullptr) [[unlikely]]
        return run_observed(budget);
    std::size_t resumed = 0;
    while (resumed < budget && !ready_.empty()) {
        ++resumed;
        resume_next(ready_.pop_front(), steps_max);
    }
    running_ = nullptr;
    ready_.splice_back(later_);
    return resumed;
}

std::size_t resume_loop::run_observed(std::size_t budget) {
    const std::size_t chosen_budget = observer_->choose_budget(budget);
    std::size_t resumed = 0;
    while (resumed < chosen_budget && !ready_.empty()) {
        job* const suspended = resume_next(observer_->choose(ready_), steps_of_call);
        running_ = nullptr;
        ++resumed;
        if (suspended != nullptr && !observer_->on_suspended(*suspended))
            break;
    }
    ready_.splice_back(later_);
    return resumed;
}

// Lets the job take so many steps without a wait. Returns it if it has suspended, null if it has ended or was
// dropped.
inline job* resume_loop::resume_next(job& next, std::size_t steps) {
    work_.next();
    running_ = &next;
    budget_ = steps - 1;
    resume(next.resume_point_);
    // An ended job has cleared running_, and may be gone.
    if (running_ != nullptr && running_->is_drop_wanted_) [[unlikely]]
        std::exchange(running_, nullptr)->drop();
    return running_;
}

job* resume_loop::first_ready_of(const job_context& family) noexcept {
    job* found = nullptr;
    ready_.for_each([&](job& candidate) {
        const job_context* const context = candidate.context();
        if (found == nullptr && context != nullptr && context->is_within(family))
            found = &candidate;
    });
    return found;
}

void resume_loop::finish(const job& awaited, const job_context& family) noexcept {
    job* const interrupted = running_;
    if (interrupted != nullptr)
        interrupted->state_ = job::state::interrupted;
    running_ = nullptr;
    while (!awaited.has_ended()) {
        ready_.splice_back(later_);
        if (job* const next = first_ready_of(family)) {
            next->list_hook<ready_tag>::unlink();
            resume_next(*next, observer_ == nullptr ? steps_max : steps_of_call);
            running_ = nullptr;
        } else {
            host().wait_for_events();
        }
    }
    running_ = interrupted;
    if (interrupted != nullptr)
        interrupted->state_ = job::state::alive;
}

void resume_loop::drop_detached() noexcept {
    while (!detached_.empty())
        detached_.front().drop();
}

}  // namespace eddy::detail
