#pragma once

#include <eddy/base/intrusive_list.hpp>
#include <eddy/core/frame_cache.hpp>

#include <coroutine>
#include <cstddef>

namespace eddy::detail {

class resume_loop;
class job;

struct ready_tag;
struct owner_tag;

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
class job : public list_hook<ready_tag>, public list_hook<owner_tag> {
public:
    static void* operator new(std::size_t size) { return frame_cache::allocate(size); }
    static void operator delete(void* at, std::size_t size) noexcept { frame_cache::deallocate(at, size); }

    /// Called once when the root coroutine has ended and its result can be taken; not when it was dropped.
    using ended_function = void (*)(job&) noexcept;

    /// Takes over `root`, which has not started. Requires: the root's promise continues at completion().
    job(resume_loop& loop, std::coroutine_handle<> root, ended_function ended, const char* name) noexcept;

    /// What the root coroutine continues with when it ends.
    [[nodiscard]] std::coroutine_handle<> completion() noexcept {
        return std::coroutine_handle<>::from_address(&completion_);
    }

    [[nodiscard]] resume_loop& loop() const noexcept { return *loop_; }
    [[nodiscard]] const char* name() const noexcept { return name_; }
    [[nodiscard]] bool has_ended() const noexcept { return state_ == state::ended; }
    [[nodiscard]] std::coroutine_handle<> root() const noexcept { return root_; }

    void set_ended_function(ended_function ended) noexcept { ended_ = ended; }

    /// Destroys the coroutines, which takes back all that they wait for, and the job itself. A job that drops
    /// itself while it runs goes on to its next suspension, or its end, and is destroyed there.
    void drop() noexcept;

    /// Frees the job and its root. Requires: has_ended().
    void destroy() noexcept;

    /// For a waiter on this job's end; at most one, made ready by the ended function.
    job* waiter = nullptr;
    /// For the owner's use.
    void* owner = nullptr;

private:
    friend class resume_loop;
    ~job() = default;

    static void on_root_ended(void* frame);

    // A coroutine frame made by hand: every ABI begins one with its resume and destroy functions. Resuming it
    // is how the root coroutine reports its end without another coroutine.
    struct completion_frame {
        void (*resume)(void*);
        void (*destroy)(void*);
        job* self;
    };

    enum class state : unsigned char { suspended, running, ended, dropping };

    completion_frame completion_;
    std::coroutine_handle<> resume_point_;
    std::coroutine_handle<> root_;
    resume_loop* loop_;
    ended_function ended_;
    const char* name_;
    state state_ = state::suspended;
};

}  // namespace eddy::detail
