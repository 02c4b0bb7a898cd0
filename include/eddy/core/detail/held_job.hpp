#pragma once

#include <eddy/core/detail/frame_cache.hpp>
#include <eddy/core/detail/job.hpp>
#include <eddy/core/detail/job_context.hpp>
#include <eddy/core/detail/result_slot.hpp>
#include <eddy/core/detail/resume_loop.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/core/task.hpp>

#include <coroutine>
#include <exception>
#include <memory>
#include <utility>

namespace eddy::detail {

/// The result in the frame of a task that has ended. Requires: the frame still exists.
template <class T>
[[nodiscard]] result_slot<T>& result_of(job& ended) noexcept {
    return std::coroutine_handle<task_promise<T>>::from_address(ended.root().address()).promise().result();
}

/// A job whose result waits for its handle, with room for it: the frame is gone once the task has ended.
template <class T>
class held_job : public job {
public:
    /// Throws std::bad_alloc, in which case the task is dropped.
    [[nodiscard]] static held_job& make(resume_loop& loop, task<T> work, const task_origin& origin) {
        void* const block = frame_cache::allocate(sizeof(held_job));
        const auto root = work.release();
        EDDY_ASSERT(root, "an empty task cannot be spawned");
        job_context* const context = loop.running_context();
        auto& made = *::new (block) held_job(root);
        made.start(loop, origin, context);
        return made;
    }

    /// Requires: is_ending(), and the task was not detached before.
    [[nodiscard]] result_slot<T>& result() noexcept { return result_; }

    /// What it becomes once it has no handle any more.
    static const kind detached;

    /// Moves the result out or throws the exception; the job is then destroyed. Requires: has_ended().
    T take_and_free() {
        if (result_.has_error()) [[unlikely]]
            throw_and_free();
        const freed_at_end freed(*this);
        return result_.take_value();
    }

private:
    // Frees a job that has ended, which is in no list.
    class freed_at_end {
    public:
        explicit freed_at_end(held_job& ended) noexcept : ended_(ended) {}
        freed_at_end(const freed_at_end&) = delete;
        freed_at_end& operator=(const freed_at_end&) = delete;
        ~freed_at_end() {
            std::destroy_at(&ended_.result_);
            ended_.leave_context();
            frame_cache::deallocate(&ended_, sizeof(held_job));
        }

    private:
        held_job& ended_;
    };

    [[noreturn, gnu::noinline, gnu::cold]] void throw_and_free() {
        const std::exception_ptr error = result_.error();
        free_held(*this);
        std::rethrow_exception(error);
    }

    explicit held_job(suspension root) noexcept : job(root, job::kind_of<&note_end, &free_held>()) {}
    ~held_job() {
        if (is_ending()) [[unlikely]]
            std::destroy_at(&result_);
    }

    static void note_end(job& ended) noexcept {
        auto& self = static_cast<held_job&>(ended);
        std::construct_at(&self.result_, std::move(result_of<T>(ended)));
        if (ended.destroy_root()) [[likely]]
            ended.wake_waiter();
    }
    static void free_held(job& freed) noexcept {
        static_cast<held_job&>(freed).~held_job();
        frame_cache::deallocate(&freed, sizeof(held_job));
    }
    // Its result was never taken out of the frame.
    static void free_detached(job& freed) noexcept {
        static_cast<held_job&>(freed).job::~job();
        frame_cache::deallocate(&freed, sizeof(held_job));
    }

    union {
        result_slot<T> result_;  // once is_ending()
    };
};

}  // namespace eddy::detail
