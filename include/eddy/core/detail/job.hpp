#pragma once

#include <eddy/core/detail/frame_cache.hpp>
#include <eddy/core/detail/job_context.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/core/detail/task_origin.hpp>
#include <eddy/detail/intrusive_list.hpp>

#include <coroutine>
#include <cstddef>
#include <utility>

namespace eddy::detail {

class resume_loop;
class job;

struct ready_tag;
struct owner_tag;

class handle_access;

/// A coroutine frame made by hand: every ABI begins one with its resume and destroy functions. A root coroutine
/// continues at that of its job: resuming it reports the end, without another coroutine, and destroying it frees
/// the job.
struct completion_frame {
    void (*resume)(void*);
    void (*destroy)(void*);
};

/// A started task: a chain of coroutines of which just the innermost is suspended or running. It is what the
/// ready queue holds and what is dropped as a whole.
///
/// Life of a job: made by spawn (ready), running, suspended, ready, ..., ended. When its root coroutine has
/// ended, the ended function takes the result out of the frame and destroys the frame, parameters included.
/// The owner (a handle, a set, or the loop once detached) drops the job at any time before or after.
///
/// Invariants:
/// 1. A job is touched by the thread of its loop only.
/// 2. It is in the ready queue, or running, or suspended with an awaiter that will make it ready, or ended.
/// 3. An ended or dropped job is in no queue.
class job : private completion_frame, public list_hook<ready_tag>, public list_hook<owner_tag> {
public:
    /// Called once when the root coroutine has ended; not when it was dropped. Takes the result, then calls
    /// destroy_root() or destroy().
    using ended_function = void (*)(job&) noexcept;
    /// Destroys a job that has no root any more, and frees its memory.
    using free_function = void (*)(job&) noexcept;
    /// The two, as the functions of a frame.
    using kind = completion_frame;
    template <ended_function Ended, free_function Free>
    static constexpr kind kind_of() noexcept {
        return {[](void* frame) {
                    if (job& self = of_frame(frame); self.ends()) [[likely]]
                        Ended(self);
                },
                [](void* frame) { Free(of_frame(frame)); }};
    }

    /// Takes over `root`, which has not started.
    job(suspension root, const kind& kind_of_job) noexcept;
    /// Makes it ready. It belongs to `context`, or to none. Requires: it has not been started.
    void start(resume_loop& loop, const task_origin& origin, job_context* context) noexcept;

    /// For a job alone in a block of the frame cache.
    static void free_allocated(job& freed) noexcept {
        freed.~job();
        frame_cache::deallocate(&freed, sizeof(job));
    }

    [[nodiscard]] resume_loop& loop() const noexcept { return *loop_; }
    [[nodiscard]] const task_origin& origin() const noexcept { return origin_; }
    [[nodiscard]] const char* name() const noexcept { return origin_.name(); }
    /// Whether the task has ended and is destroyed with its arguments.
    [[nodiscard]] bool has_ended() const noexcept { return !root_; }
    /// Whether the task has ended; its frame may be about to be destroyed.
    [[nodiscard]] bool is_ending() const noexcept { return state_ == state::ended; }
    [[nodiscard]] std::coroutine_handle<> root() const noexcept { return root_; }
    /// The job whose root continues at this.
    [[nodiscard]] static const job& of_root(std::coroutine_handle<> continuation) noexcept {
        return of_frame(continuation.address());
    }
    [[nodiscard]] job_context* context() const noexcept { return context_.get(); }
    void set_context(job_context_reference context) noexcept { context_ = std::move(context); }

    /// From now on it is of another kind.
    void become(const kind& other) noexcept { static_cast<completion_frame&>(*this) = other; }

    /// Notes where the job will resume.
    void suspend_at(suspension point) noexcept {
        resume_point_ = point.point();
        suspended_ = point.is_link() ? at_link : 0;
    }

    /// What is promised of its place among the jobs that are ready.
    enum class place : unsigned char {
        any = 0,
        in_line = 2,     ///< behind those that are in line before it
        behind_all = 4,  ///< behind all that are ready before it
    };
    /// For an observer that chooses another order than that of becoming ready (resume_observer::choose).
    /// Requires: it has been suspended, and nothing was promised yet.
    void promise(place kept) noexcept { suspended_ |= static_cast<unsigned char>(kept); }
    [[nodiscard]] place promised() const noexcept { return static_cast<place>(suspended_ & ~at_link); }

    /// Destroys the coroutines, which withdraws all that they wait for, and the job itself. A job that drops
    /// itself while it runs continues to its next suspension, or its end, and is destroyed there.
    void drop() noexcept;

    /// Destroys the root, which has ended, with the task's arguments. False if a destructor dropped the job,
    /// which is then destroyed. Requires: is_ending().
    [[nodiscard]] bool destroy_root() noexcept;
    /// Destroys the root if there still is one, and the job, and frees the memory. Requires: is_ending().
    void destroy() noexcept;

    /// Makes the task that waits for this job's end ready, if there is one: the ended function calls it.
    inline void wake_waiter() noexcept;
    union {
        /// Of a job with a handle: where the job that waits for its end is noted in its awaiter, once for all whose
        /// first end it waits for; or null.
        job** waiter = nullptr;
        /// Of any other: for the owner's use.
        void* owner;
    };
    /// Of a job that has ended and is in no list: releases what its destructor would, which then need not be
    /// called.
    void leave_context() noexcept {
        if (context_.get() != nullptr) [[unlikely]]
            context_ = job_context_reference();
    }

protected:
    // Leaves the ready queue only now: an operation that was taken back may have made the job ready on its
    // way out.
    ~job() = default;

private:
    friend class resume_loop;
    friend class job_group;

    static job& of_frame(void* frame) noexcept {
        return static_cast<job&>(*static_cast<completion_frame*>(frame));
    }
    // The root has ended. False if it dropped its job, which is then destroyed, while it ran.
    [[nodiscard]] bool ends() noexcept;
    EDDY_RARELY_CALLED void drop_at_end() noexcept { end_dropped(); }
    void end_dropped() noexcept;
    void free() noexcept { completion_frame::destroy(static_cast<completion_frame*>(this)); }

    // `alive`: suspended, or running if it is the loop's running job. `interrupted`: running, but something
    // else is run to its end in the middle of it (resume_loop::finish). `ended`: the root has ended, and its
    // frame is destroyed (root_ is null) or about to be.
    enum class state : unsigned char { alive, interrupted, ended, dropping };

    // Of suspended_: resume_point_ is a coroutine of the library's.
    static constexpr unsigned char at_link = 1;

    std::coroutine_handle<> resume_point_;
    std::coroutine_handle<> root_;
    resume_loop* loop_ = nullptr;
    task_origin origin_{nullptr, {}};
    job_context_reference context_;
    state state_ = state::alive;
    bool is_drop_wanted_ =
        false;  // of a running job: at its next suspension; of one that ends: at once after
    unsigned char suspended_ = 0;  // at_link, and what was promised of its place
};

}  // namespace eddy::detail
