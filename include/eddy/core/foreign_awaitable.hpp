#pragma once

#include <eddy/core/awaitable.hpp>
#include <eddy/core/foreign_resumption.hpp>
#include <eddy/core/resume_loop.hpp>
#include <eddy/core/suspension.hpp>
#include <eddy/core/transfer.hpp>

#include <coroutine>
#include <type_traits>
#include <utility>

namespace eddy::detail {

template <class Awaitable>
concept native_awaitable = native_awaiter<std::remove_reference_t<awaiter_type<Awaitable>>>;

/// Lets a task await what knows nothing of this library: that may resume the task on any thread, inside its
/// own await_suspend or in the middle of its own work. The task goes on in the loop of its worker all the
/// same.
///
/// Cancellation: the foreign awaiter is destroyed; it must see to it that it resumes nobody after that.
template <class Awaitable>
class foreign_awaitable {
    // What can be moved is, so that it is destroyed before what it may resume.
    using taken = std::conditional_t<std::is_move_constructible_v<std::remove_reference_t<Awaitable>>,
                                     std::remove_cvref_t<awaiter_type<Awaitable>>, awaiter_type<Awaitable>>;
    using held = std::conditional_t<std::is_rvalue_reference_v<awaiter_type<Awaitable>>, taken,
                                    awaiter_type<Awaitable>>;

public:
    explicit foreign_awaitable(Awaitable&& awaited)
        : awaiter_(get_awaiter(std::forward<Awaitable>(awaited))) {}
    foreign_awaitable(const foreign_awaitable&) = delete;
    foreign_awaitable& operator=(const foreign_awaitable&) = delete;
    ~foreign_awaitable() = default;

    bool await_ready() { return static_cast<bool>(awaiter_.await_ready()); }

    auto await_suspend(suspension point) {
        resumption_.reset(new foreign_resumption(resume_loop::current().suspend(point), point));
        const std::coroutine_handle<> given = resumption_->handle();
        if constexpr (std::is_convertible_v<decltype(awaiter_.await_suspend(given)), std::coroutine_handle<>>)
            return transfer_from(point, awaiter_.await_suspend(given));
        else
            return awaiter_.await_suspend(given);
    }

    decltype(auto) await_resume() { return awaiter_.await_resume(); }

private:
    foreign_resumption_owner resumption_;
    held awaiter_;
};

}  // namespace eddy::detail
