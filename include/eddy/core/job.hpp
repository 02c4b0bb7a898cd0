#pragma once

#include <eddy/base/intrusive_list.hpp>
#include <eddy/core/frame_cache.hpp>
#include <eddy/core/job_context.hpp>
#include <eddy/core/suspension.hpp>

#include <coroutine>
#include <cstddef>
#include <utility>

namespace eddy::detail {

class resume_loop;
class job;

struct ready_tag;
struct owner_tag;

class handle_access;

/// A coroutine frame made by hand: every ABI begins one with its resume and destroy functions. Resuming it is
/// how a root coroutine reports its end without another coroutine.
struct completion_frame {
    void (*resume)(void*);
    void (*destroy)(void*);
};

/// A started task: a chain of coroutines of which just the innermost is suspended or running. It is what the
/// ready queue holds and what is dropped as a whole.
///
/// Life of a job: made by spawn (ready), running, suspended, ready, ..., ended. Its owner (a handle, a set,
/// or the loop once detached) either takes the result after the end or drops it at any time before.
///
/// Invariants:
/// 1. A job is touched by the thread of its loop only.
/// 2. It is in the ready queue, or running, or suspended with an awaiter that will make it ready, or ended.
/// 3. An ended or dropped job is in no queue.
class job : private completion_frame, public list_hook<ready_tag>, public list_hook<owner_tag> {
public:
    /// Called once when the root coroutine has ended and its result can be taken; not when it was dropped.
    using ended_function = void (*)(job&) noexcept;
    /// Gives the job's memory back, once the job is destroyed.
    using free_function = void (*)(job&) noexcept;

    /// Takes over `root`, which has not started, and makes the job ready. It belongs to `context`, or to
    /// none.
    job(resume_loop& loop, suspension root, ended_function ended, free_function free, const char* name,
        job_context* context) noexcept;

    /// Room for a job that is freed with it. Throws std::bad_alloc.
    [[nodiscard]] static void* allocate() { return frame_cache::allocate(sizeof(job)); }
    static void free_allocated(job& destroyed) noexcept { frame_cache::deallocate(&destroyed, sizeof(job)); }

    [[nodiscard]] resume_loop& loop() const noexcept { return *loop_; }
    [[nodiscard]] const char* name() const noexcept { return name_; }
    [[nodiscard]] bool has_ended() const noexcept { return state_ == state::ended; }
    [[nodiscard]] std::coroutine_handle<> root() const noexcept { return root_; }
    [[nodiscard]] job_context* context() const noexcept { return context_.get(); }
    void set_context(job_context_reference context) noexcept { context_ = std::move(context); }

    void set_ended_function(ended_function ended) noexcept { ended_ = ended; }

    /// Notes where the job will go on.
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
    /// For who chooses another order than that of becoming ready (resume_observer::choose). Requires: it has
    /// been suspended, and nothing was promised yet.
    void promise(place kept) noexcept { suspended_ |= static_cast<unsigned char>(kept); }
    [[nodiscard]] place promised() const noexcept { return static_cast<place>(suspended_ & ~at_link); }

    /// Destroys the coroutines, which takes back all that they wait for, and the job itself. A job that drops
    /// itself while it runs goes on to its next suspension, or its end, and is destroyed there.
    void drop() noexcept;

    /// Destroys the job and its root, and leaves its memory to its owner. Requires: has_ended().
    void destroy_in_place() noexcept;
    /// The same, and frees the memory. Requires: has_ended().
    void destroy() noexcept;

    /// For a waiter on this job's end; at most one, made ready by the ended function.
    job* waiter = nullptr;
    /// For the owner's use.
    void* owner = nullptr;

private:
    friend class resume_loop;
    ~job() = default;

    static void on_root_ended(void* frame);

    // `alive`: suspended, or running if it is the loop's running job. `interrupted`: running, but something
    // else is run to its end in the middle of it (resume_loop::finish).
    enum class state : unsigned char { alive, interrupted, ended, dropping };

    // Of suspended_: resume_point_ is a coroutine of the library's.
    static constexpr unsigned char at_link = 1;

    std::coroutine_handle<> resume_point_;
    std::coroutine_handle<> root_;
    resume_loop* loop_;
    ended_function ended_;
    free_function free_;
    const char* name_;
    job_context_reference context_;
    state state_ = state::alive;
    bool is_drop_wanted_ = false;  // of a running job: at its next suspension
    unsigned char suspended_ = 0;  // at_link, and what was promised of its place
};

}  // namespace eddy::detail
