#pragma once

#include <eddy/core/awaitable.hpp>
#include <eddy/core/detail/foreign_resumption.hpp>
#include <eddy/core/detail/resume_loop.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/core/detail/transfer.hpp>

#include <coroutine>
#include <type_traits>
#include <utility>

namespace eddy::detail {

template <class Awaitable>
concept native_awaitable = native_awaiter<std::remove_reference_t<awaiter_type<Awaitable>>>;

// An awaiter that is its own awaitable comes as a reference to a temporary, and is moved in if that can be.
template <class Awaiter>
using kept_awaiter = std::conditional_t<std::is_rvalue_reference_v<Awaiter> &&
                                            std::is_move_constructible_v<std::remove_cvref_t<Awaiter>>,
                                        std::remove_cvref_t<Awaiter>, Awaiter>;

/// Lets a task await awaitables of other libraries, which may resume the task on any thread, inside their
/// await_suspend or in the middle of their work. The task resumes in the loop of its worker all the same.
///
/// Cancellation: the foreign awaiter is destroyed with the task that waits. Up to the end of its destructor
/// it may still resume the task, without effect; after that it must not.
template <class Awaitable>
class foreign_awaitable {
    using held = kept_awaiter<awaiter_type<Awaitable>>;

public:
    explicit foreign_awaitable(Awaitable&& awaited)
        : awaiter_(get_awaiter(std::forward<Awaitable>(awaited))) {}
    foreign_awaitable(const foreign_awaitable&) = delete;
    foreign_awaitable& operator=(const foreign_awaitable&) = delete;
    ~foreign_awaitable() = default;

    bool await_ready() { return static_cast<bool>(awaiter_.await_ready()); }

    auto await_suspend(suspension point) {
        resumption_.reset(
            new foreign_resumption(resume_loop::current().suspend(point), point, std::is_reference_v<held>));
        const std::coroutine_handle<> given = resumption_->handle();
        using suspended = decltype(awaiter_.await_suspend(given));
        if constexpr (std::is_convertible_v<suspended, std::coroutine_handle<>>) {
            return transfer_from(point, awaiter_.await_suspend(given));
        } else if constexpr (std::is_same_v<suspended, bool>) {
            const bool suspends = awaiter_.await_suspend(given);
            if (!suspends)
                resumption_->cancel();
            return suspends;
        } else {
            awaiter_.await_suspend(given);
        }
    }

    decltype(auto) await_resume() { return awaiter_.await_resume(); }

private:
    // Goes last, so that an awaiter that is kept here cannot resume it any more.
    foreign_resumption_owner resumption_;
    held awaiter_;
};

}  // namespace eddy::detail
