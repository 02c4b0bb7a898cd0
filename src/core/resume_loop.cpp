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

std::size_t resume_loop::run(std::size_t budget) {
    std::size_t resumed = 0;
    while (resumed < budget && !ready_.empty()) {
        ++resumed;
        resume_next(ready_.pop_front());
    }
    return resumed;
}

inline void resume_loop::resume_next(job& next) {
    running_ = &next;
    next.state_ = job::state::running;
    resume(next.resume_point_);
    // An ended job has cleared running_, and may be gone.
    job* const suspended = std::exchange(running_, nullptr);
    if (suspended == nullptr)
        return;
    suspended->state_ = job::state::suspended;
    if (suspended->is_drop_wanted_) [[unlikely]]
        suspended->drop();
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

void resume_loop::finish(job& awaited, const job_context& family) noexcept {
    job* const running = std::exchange(running_, nullptr);
    while (!awaited.has_ended()) {
        if (job* const next = first_ready_of(family)) {
            next->list_hook<ready_tag>::unlink();
            resume_next(*next);
        } else {
            host().wait_for_events();
        }
    }
    running_ = running;
}

void resume_loop::drop_detached() noexcept {
    while (!detached_.empty())
        detached_.front().drop();
}

}  // namespace eddy::detail
