#pragma once

#include <eddy/base/activity.hpp>
#include <eddy/base/assert.hpp>
#include <eddy/core/job.hpp>
#include <eddy/core/loop_host.hpp>
#include <eddy/core/resume_observer.hpp>

#include <algorithm>
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
    /// `host` may be null where nothing waits for other threads or the system.
    explicit resume_loop(loop_host* host = nullptr) noexcept : host_(host) {}
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
    [[nodiscard]] job& suspend(suspension point) noexcept {
        EDDY_ASSERT(running_ != nullptr, "only a spawned task may wait for something");
        running_->suspend_at(point);
        return *running_;
    }

    /// Requires: `waiting` is suspended and not in the queue.
    void make_ready(job& waiting) noexcept { ready_.push_back(waiting); }

    /// The same for the running job, but it goes behind what is ready at the end of the run(), so that timers
    /// and the system have their turn before.
    void make_ready_later(job& waiting) noexcept { later_.push_back(waiting); }

    [[nodiscard]] bool has_ready() const noexcept { return !ready_.empty() || !later_.empty(); }
    /// Whether two or more jobs are.
    [[nodiscard]] bool has_several_ready() const noexcept {
        return ready_.has_several() || later_.has_several() || (!ready_.empty() && !later_.empty());
    }

    /// Whether what may succeed without waiting is to be tried without suspending the running job. Always;
    /// but where somebody observes, every other time, so that tools that test see both ways.
    [[nodiscard]] bool may_try() noexcept {
        if (observer_ == nullptr) [[likely]]
            return true;
        return has_tried_ = !has_tried_;
    }
    /// Notes that the running job was given something for which it did not have to wait, by the work that it
    /// was. False once that was so much since it was resumed that it is the others' turn; never true where
    /// somebody observes.
    [[nodiscard]] bool may_go_on(std::size_t steps) noexcept {
        const std::size_t end = steps_left_ >= steps_beyond ? steps_beyond : 0;
        steps_left_ -= std::min(steps, steps_left_ - end);
        return steps_left_ != end;
    }
    /// After may_go_on() has said no: lets the running job have as much again, for which it has good reason.
    /// False if it was let before since it was resumed.
    [[nodiscard]] bool may_go_beyond() noexcept {
        if (steps_left_ != steps_beyond)
            return false;
        --steps_left_;
        return true;
    }
    /// What a transfer of so many bytes is, for may_go_on().
    [[nodiscard]] static constexpr std::size_t steps_of_transfer(std::size_t bytes) noexcept {
        return 1 + bytes / 4096;
    }

    /// How many jobs there are that have not been destroyed.
    [[nodiscard]] std::size_t jobs() const noexcept { return jobs_; }

    /// Resumes up to `budget` jobs and gives how many it resumed. Each is a piece of work().
    std::size_t run(std::size_t budget);

    /// What the thread is at, for who watches it. The loop's host says when work begins and ends.
    [[nodiscard]] activity& work() noexcept { return work_; }
    [[nodiscard]] const activity& work() const noexcept { return work_; }

    [[nodiscard]] bool has_host() const noexcept { return host_ != nullptr; }
    [[nodiscard]] loop_host& host() const noexcept {
        EDDY_ASSERT(host_ != nullptr, "this needs the worker of a runtime");
        return *host_;
    }

    /// Runs `awaited` to its end, with what it has spawned and nothing else, from where it was called: in a
    /// destructor, say. Requires: it belongs to `family` and is not running.
    void finish(job& awaited, const job_context& family) noexcept;

    /// What the running job belongs to, or null.
    [[nodiscard]] job_context* running_context() const noexcept {
        return running_ != nullptr ? running_->context() : nullptr;
    }
    /// The running job, or null.
    [[nodiscard]] job* running() const noexcept { return running_; }

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
    [[nodiscard]] std::size_t count_ready() const noexcept { return ready_.count() + later_.count(); }
    [[nodiscard]] std::size_t count_detached() const noexcept { return detached_.count(); }

    /// The name of the running job, or null.
    [[nodiscard]] const char* running_name() const noexcept {
        return running_ != nullptr ? running_->name() : nullptr;
    }

private:
    friend class job;
    // Some 10 us' worth, and as much for may_go_beyond().
    static constexpr std::size_t steps_beyond = 16;
    static constexpr std::size_t steps_max = 16 + steps_beyond;

    job* resume_next(job& next);
    [[nodiscard]] job* first_ready_of(const job_context& family) noexcept;

    std::size_t run_observed(std::size_t budget);

    static constinit thread_local resume_loop* current_;

    loop_host* host_;
    resume_observer* observer_ = nullptr;
    job* running_ = nullptr;
    std::size_t steps_left_ = 0;
    bool has_tried_ = false;
    std::size_t jobs_ = 0;
    activity work_;
    intrusive_list<job, ready_tag> ready_;
    intrusive_list<job, ready_tag> later_;
    intrusive_list<job, owner_tag> detached_;
};

inline job::job(resume_loop& loop, suspension root, ended_function ended, free_function free,
                const char* name, job_context* context) noexcept
    : completion_frame{&on_root_ended, nullptr},
      resume_point_(root.point()),
      root_(root.point()),
      loop_(&loop),
      ended_(ended),
      free_(free),
      name_(name),
      context_(context),
      suspended_(at_link) {
    root.link().continue_at(std::coroutine_handle<>::from_address(static_cast<completion_frame*>(this)));
    ++loop.jobs_;
    loop.make_ready(*this);
}

inline void job::destroy_in_place() noexcept {
    root_.destroy();
    --loop_->jobs_;
    // Leaves the ready queue only now: an operation that was taken back may have made the job ready on its
    // way out.
    this->~job();
}

}  // namespace eddy::detail
