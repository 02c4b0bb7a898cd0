#pragma once

#include <eddy/combine/detail/as_task.hpp>
#include <eddy/combine/detail/job_group.hpp>
#include <eddy/core/detail/job_context.hpp>
#include <eddy/core/detail/resume_loop.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/core/task.hpp>

#include <stop_token>
#include <utility>

namespace eddy {

/// What shield() returns.
template <class T>
class [[nodiscard]] shield_awaiter {
public:
    explicit shield_awaiter(task<T> work)
        : group_(detail::job_group::make<T>(detail::job_group::decided_by::nothing)) {
        group_->add(std::move(work));
    }
    shield_awaiter(shield_awaiter&&) noexcept = default;
    shield_awaiter& operator=(shield_awaiter&&) = delete;
    ~shield_awaiter() {
        if (context_.get() != nullptr)
            group_->finish(*context_.get());
    }

    bool await_ready() const noexcept { return false; }
    void await_suspend(detail::suspension point) {
        auto& loop = detail::resume_loop::current();
        context_ =
            detail::job_context_reference(new detail::job_context(loop.running_context(), std::stop_token()));
        group_->start(point, context_);
    }
    T await_resume() { return group_->template result<T>(0).take(); }

private:
    detail::job_group::owner group_;
    detail::job_context_reference context_;
};

/// `co_await shield(work())` is `co_await work()`, but once begun the work is completed even if the task that
/// awaits it is dropped: the drop waits for it. For the few steps that must not be left half done, such as
/// the second half of a rename.
///
/// - Cancellation: the destructor continues the work, with what that has spawned and nothing else, and lets
///   the worker wait for the system meanwhile: everything else on this worker stands still. Keep it short,
///   add a deadline, and let it wait for nothing that another task of this worker must do: that would wait
///   for ever. Its result, or its exception, is then dropped with the task.
/// - Work that drops the very task that awaits it continues by itself, as if detached.
/// - Cost: two blocks of memory and a job.
///
/// Throws std::bad_alloc.
template <awaitable Awaitable>
[[nodiscard]] auto shield(Awaitable&& work) {
    return shield_awaiter<detail::awaited_value_t<Awaitable>>(detail::as_task(std::forward<Awaitable>(work)));
}

}  // namespace eddy
