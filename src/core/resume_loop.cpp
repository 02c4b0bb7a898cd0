#include <eddy/core/resume_loop.hpp>
#include <eddy/core/transfer.hpp>

#include <utility>

namespace eddy::detail {

constinit thread_local resume_loop* resume_loop::current_ = nullptr;

resume_loop::~resume_loop() {
    EDDY_ASSERT(detached_.empty(), "detached jobs are dropped before their loop is destroyed");
    EDDY_ASSERT(ready_.empty(), "no handle outlives the runtime on which its task runs");
}

resume_loop* resume_loop::enter(resume_loop* loop) noexcept {
    return std::exchange(current_, loop);
}

// Gives the job if it has suspended, null if it has ended or was dropped.
inline job* resume_loop::resume_one(job& next) {
    running_ = &next;
    next.state_ = job::state::running;
    resume(next.resume_point_);
    // An ended job has cleared running_, and may be gone.
    job* const suspended = std::exchange(running_, nullptr);
    if (suspended == nullptr)
        return nullptr;
    suspended->state_ = job::state::suspended;
    if (drop_running_) [[unlikely]] {
        drop_running_ = false;
        suspended->drop();
        return nullptr;
    }
    return suspended;
}

std::size_t resume_loop::run(std::size_t budget) {
    if (observer_ != nullptr) [[unlikely]]
        return run_observed(budget);
    std::size_t resumed = 0;
    for (; resumed < budget && !ready_.empty(); ++resumed)
        resume_one(ready_.pop_front());
    return resumed;
}

std::size_t resume_loop::run_observed(std::size_t budget) {
    const std::size_t chosen_budget = observer_->choose_budget(budget);
    std::size_t resumed = 0;
    while (resumed < chosen_budget && !ready_.empty()) {
        job* const suspended = resume_one(observer_->choose(ready_));
        ++resumed;
        if (suspended != nullptr && !observer_->on_suspended(*suspended))
            break;
    }
    return resumed;
}

void resume_loop::drop_detached() noexcept {
    while (!detached_.empty())
        detached_.front().drop();
}

}  // namespace eddy::detail
