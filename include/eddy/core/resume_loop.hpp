#pragma once

#include <eddy/base/assert.hpp>
#include <eddy/core/job.hpp>
#include <eddy/core/resume_observer.hpp>

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace eddy::detail {

/// The ready queue of one thread and the loop that resumes what is in it, first in, first out. Coroutines are
/// resumed here and nowhere else: never inside a completion, a destructor or a signalling call.
///
/// Thread safety: belongs to the thread on which it was entered.
class resume_loop {
public:
    resume_loop() noexcept = default;
    resume_loop(const resume_loop&) = delete;
    resume_loop& operator=(const resume_loop&) = delete;
    ~resume_loop();

    /// The loop of this thread. Requires: there is one.
    [[nodiscard]] static resume_loop& current() noexcept {
        EDDY_ASSERT(current_ != nullptr, "this must happen on a worker of a runtime");
        return *current_;
    }
    [[nodiscard]] static resume_loop* current_or_null() noexcept { return current_; }

    /// Makes `loop` (or none) the loop of this thread and gives the one before.
    static resume_loop* enter(resume_loop* loop) noexcept;

    /// For await_suspend: notes that the running job will go on at `point`, and gives the job, which the
    /// awaiter hands to make_ready() when the time has come.
    [[nodiscard]] job& suspend(std::coroutine_handle<> point) noexcept {
        EDDY_ASSERT(running_ != nullptr, "only a spawned task may wait for something");
        running_->resume_point_ = point;
        return *running_;
    }

    /// Requires: `waiting` is suspended and not in the queue.
    void make_ready(job& waiting) noexcept { ready_.push_back(waiting); }

    [[nodiscard]] bool has_ready() const noexcept { return !ready_.empty(); }

    /// Resumes up to `budget` jobs and gives how many it resumed.
    std::size_t run(std::size_t budget);

    /// Puts a detached job under the loop's care: it is dropped by drop_detached() if it has not ended.
    void adopt(job& detached) noexcept { detached_.push_back(detached); }
    /// Drops every detached job. Requires: no job is running.
    void drop_detached() noexcept;

    // -- for tools that test --

    /// Lets `observer` (or nobody) see and steer what is resumed from the next run() on; gives the one
    /// before.
    resume_observer* observe(resume_observer* observer) noexcept {
        return std::exchange(observer_, observer);
    }
    /// How many jobs are ready, and how many detached ones have not ended, by walking.
    [[nodiscard]] std::size_t count_ready() const noexcept { return ready_.count(); }
    [[nodiscard]] std::size_t count_detached() const noexcept { return detached_.count(); }

    /// The name of the running job, or null.
    [[nodiscard]] const char* running_name() const noexcept {
        return running_ != nullptr ? running_->name() : nullptr;
    }

private:
    friend class job;
    /// Gives whether the running job was to be dropped.
    bool forget_running() noexcept {
        running_ = nullptr;
        return std::exchange(drop_running_, false);
    }
    void drop_running_at_suspension() noexcept { drop_running_ = true; }

    job* resume_one(job& next);
    std::size_t run_observed(std::size_t budget);

    static constinit thread_local resume_loop* current_;

    resume_observer* observer_ = nullptr;
    job* running_ = nullptr;
    bool drop_running_ = false;
    intrusive_list<job, ready_tag> ready_;
    intrusive_list<job, owner_tag> detached_;
};

}  // namespace eddy::detail
