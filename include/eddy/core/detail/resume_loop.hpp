#pragma once

#include <eddy/core/detail/job.hpp>
#include <eddy/core/detail/loop_host.hpp>
#include <eddy/core/detail/resume_observer.hpp>
#include <eddy/detail/activity.hpp>
#include <eddy/detail/assert.hpp>

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

    /// Makes `loop` (or none) the loop of this thread and returns the one before.
    static resume_loop* enter(resume_loop* loop) noexcept;

    /// For await_suspend: notes that the running job will resume at `point`, and returns the job, which the
    /// awaiter passes to make_ready() when the time has come.
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

    /// Whether to try a non-blocking call before suspending. Always true in production; under a test observer
    /// it alternates, so that both paths are exercised.
    [[nodiscard]] bool may_try() noexcept {
        if (observer_ == nullptr) [[likely]]
            return true;
        return has_tried_ = !has_tried_;
    }
    /// Counts steps that the job that runs on this thread takes, or has taken, without a wait. False once
    /// they are so many since it was resumed that it is the others' turn. Where an observer looks, that is so
    /// after each transfer.
    [[nodiscard]] static bool consume_budget(std::size_t steps = 1) noexcept {
        budget_ -= steps;
        return !is_turn_over();
    }
    /// Whether consume_budget() has returned false since the running job was resumed.
    [[nodiscard]] static bool is_turn_over() noexcept { return static_cast<std::int64_t>(budget_) < 0; }
    /// After consume_budget() has returned false: lets the running job have as much again, for which it has good
    /// reason. False if it was let before since it was resumed, or an observer looks.
    [[nodiscard]] bool extend_budget() noexcept {
        if (!is_turn_over() || observer_ != nullptr || beyond_in_ == work_.number())
            return false;
        beyond_in_ = work_.number();
        budget_ = steps_max - 1;
        return true;
    }
    /// What copying so many bytes is, for consume_budget(), beside a step that copies none.
    [[nodiscard]] static constexpr std::size_t copy_cost(std::size_t bytes) noexcept {
        return 1 + bytes / (4096 / steps_of_call);
    }
    /// The same for a transfer by a system call.
    [[nodiscard]] static constexpr std::size_t budget_cost(std::size_t bytes) noexcept {
        return steps_of_call - 1 + copy_cost(bytes);
    }

    /// How many jobs there are that have not ended and gone.
    [[nodiscard]] std::size_t jobs() const noexcept { return jobs_; }

    /// Resumes up to `budget` jobs and returns how many it resumed. Each is a piece of work().
    std::size_t run(std::size_t budget);

    /// The thread's activity, for its observers. The loop's host marks when work begins and ends.
    [[nodiscard]] activity& work() noexcept { return work_; }
    [[nodiscard]] const activity& work() const noexcept { return work_; }

    [[nodiscard]] bool has_host() const noexcept { return host_ != nullptr; }
    [[nodiscard]] loop_host& host() const noexcept {
        EDDY_ASSERT(host_ != nullptr, "this needs the worker of a runtime");
        return *host_;
    }

    /// Resumes the jobs of `family` and nothing else, until `awaited`, which is one of them and not running, has
    /// ended; from where it was called: in a destructor, say.
    void finish(const job& awaited, const job_context& family) noexcept;

    /// What the running job belongs to, or null.
    [[nodiscard]] job_context* running_context() const noexcept {
        return running_ != nullptr ? running_->context() : nullptr;
    }
    /// The running job, or null.
    [[nodiscard]] job* running() const noexcept { return running_; }

    /// Makes the loop own a detached job: it is dropped by drop_detached() if it has not ended.
    void adopt(job& detached) noexcept { detached_.push_back(detached); }
    /// Drops every detached job. Requires: no job is running.
    void drop_detached() noexcept;

    // -- for tools that test --

    /// Lets `observer` (or none) see and steer what is resumed from the next run() on. Returns the one
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
    // A job may take some 10 us' worth without a wait.
    static constexpr std::size_t steps_of_call = 64;
    static constexpr std::size_t steps_max = 16 * steps_of_call;

    job* resume_next(job& next, std::size_t steps);
    [[nodiscard]] job* first_ready_of(const job_context& family) noexcept;

    std::size_t run_observed(std::size_t budget);

    static constinit thread_local resume_loop* current_;
    // Of the running job, less one: below zero once its turn is over. Unsigned, so that counting is one
    // instruction whose sign is the answer. A thread has one such job at a time, whatever loops it enters within
    // each other.
    static constinit thread_local std::uint64_t budget_;

    loop_host* host_;
    resume_observer* observer_ = nullptr;
    job* running_ = nullptr;
    std::uint64_t beyond_in_ = 0;  // the piece of work() in which extend_budget() said yes
    bool has_tried_ = false;
    std::size_t jobs_ = 0;
    activity work_;
    intrusive_list<job, ready_tag> ready_;
    intrusive_list<job, ready_tag> later_;
    intrusive_list<job, owner_tag> detached_;
};

inline job::job(suspension root, const kind& kind_of_job) noexcept
    : completion_frame(kind_of_job), resume_point_(root.point()), root_(root.point()), suspended_(at_link) {
    root.link().continue_at(std::coroutine_handle<>::from_address(static_cast<completion_frame*>(this)));
}

inline void job::start(resume_loop& loop, const task_origin& origin, job_context* context) noexcept {
    loop_ = &loop;
    origin_ = origin;
    context_.refer_to(context);
    ++loop.jobs_;
    loop.make_ready(*this);
}

inline bool job::ends() noexcept {
    loop_->running_ = nullptr;
    if (is_drop_wanted_) [[unlikely]] {
        drop_at_end();
        return false;
    }
    state_ = state::ended;
    return true;
}

inline bool job::destroy_root() noexcept {
    destroy_frame(root_, this);
    root_ = nullptr;
    --loop_->jobs_;
    if (!is_drop_wanted_) [[likely]]
        return true;
    free();
    return false;
}

inline void job::wake_waiter() noexcept {
    job** const noted = std::exchange(waiter, nullptr);
    if (noted == nullptr)
        return;
    if (job* const waiting = std::exchange(*noted, nullptr)) [[likely]]
        loop_->make_ready(*waiting);
}

}  // namespace eddy::detail
