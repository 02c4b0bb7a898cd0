#pragma once

#include <eddy/core/task.hpp>

#include <coroutine>
#include <optional>
#include <type_traits>
#include <utility>

namespace eddy {

template <class T = void>
class ready_or_task;

namespace detail {

/// The promise of a coroutine whose return type is ready_or_task. It must return the very type of the
/// coroutine: clang 22 destroys a coroutine twice whose return object is converted.
template <class T>
class ready_or_task_promise final : public task_promise<T> {
public:
    ready_or_task<T> get_return_object() noexcept {
        // A handle finds its promise by the promise's place in the frame, which its alignment decides.
        static_assert(sizeof(ready_or_task_promise) == sizeof(task_promise<T>) &&
                      alignof(ready_or_task_promise) == alignof(task_promise<T>));
        return ready_or_task<T>(task_promise<T>::get_return_object());
    }
};

/// Awaits the rest of a ready_or_task, if there is one.
template <class T>
class rest_awaiter {
public:
    explicit rest_awaiter(std::coroutine_handle<task_promise<T>> rest) noexcept
        : is_done_(!rest), rest_(rest) {}

    bool await_ready() const noexcept { return is_done_; }
    transfer await_suspend(suspension parent) { return rest_.await_suspend(parent); }

protected:
    [[nodiscard]] bool is_done() const noexcept { return is_done_; }
    typename task<T>::awaiter& rest() noexcept { return rest_; }

private:
    bool is_done_;
    typename task<T>::awaiter rest_;
};

}  // namespace detail

/// The return type of a function that is often done when it returns: a result, or a task with the rest of the
/// work. A function that returns a result in its fast case spares its caller a coroutine; one that is a
/// coroutine itself may have this return type as well.
///
/// Ownership, cancellation and threads are as for task<T>. An exception of the fast case comes out of the
/// call, one of the rest out of the await.
template <class T>
class [[nodiscard]] ready_or_task {
public:
    using promise_type = detail::ready_or_task_promise<T>;

    /// A result that is there, or the task that will make it.
    ready_or_task(T result) noexcept(std::is_nothrow_move_constructible_v<T>) : result_(std::move(result)) {}
    ready_or_task(task<T> rest) noexcept : rest_(std::move(rest)) {}

    /// Whether the result is there, so that awaiting it does not suspend.
    [[nodiscard]] bool is_done() const noexcept { return result_.has_value(); }

    class awaiter : public detail::rest_awaiter<T> {
    public:
        awaiter(std::optional<T> result, std::coroutine_handle<detail::task_promise<T>> rest) noexcept
            : detail::rest_awaiter<T>(rest), result_(std::move(result)) {}
        T await_resume() { return this->is_done() ? std::move(*result_) : this->rest().await_resume(); }

    private:
        std::optional<T> result_;
    };
    awaiter operator co_await() && noexcept { return {std::move(result_), rest_.release()}; }

private:
    std::optional<T> result_;
    task<T> rest_;
};

/// Without a result: `{}` says that all is done.
template <>
class [[nodiscard]] ready_or_task<void> {
public:
    using promise_type = detail::ready_or_task_promise<void>;

    ready_or_task() noexcept = default;
    ready_or_task(task<void> rest) noexcept : rest_(std::move(rest)) {}

    [[nodiscard]] bool is_done() const noexcept { return !rest_; }

    class awaiter : public detail::rest_awaiter<void> {
    public:
        using rest_awaiter::rest_awaiter;
        void await_resume() {
            if (!is_done())
                rest().await_resume();
        }
    };
    awaiter operator co_await() && noexcept { return awaiter(rest_.release()); }

private:
    task<void> rest_;
};

}  // namespace eddy

template <class T, class... Args>
struct std::coroutine_traits<eddy::ready_or_task<T>, Args...> : eddy::detail::checked_parameters<Args...> {
    using promise_type = eddy::detail::ready_or_task_promise<T>;
};
