#pragma once

#include <eddy/core/detail/awaiter_reference.hpp>
#include <eddy/core/detail/checked_parameters.hpp>
#include <eddy/core/detail/foreign_awaitable.hpp>
#include <eddy/core/detail/frame_cache.hpp>
#include <eddy/core/detail/result_slot.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/core/detail/transfer.hpp>

#include <concepts>
#include <coroutine>
#include <exception>
#include <type_traits>
#include <utility>

namespace eddy {

template <class T>
class task;

namespace detail {

/// What all promises of task<T> share: the continuation after the coroutine's end.
class task_promise_base : public chain_link, public in_frame_cache {
public:
    std::suspend_always initial_suspend() const noexcept { return {}; }

    struct final_awaiter {
        bool await_ready() const noexcept { return false; }
        template <class Promise>
        transfer await_suspend(std::coroutine_handle<Promise> ended) const noexcept {
            return transfer_to(ended.promise().continuation());
        }
        void await_resume() const noexcept {}
    };
    final_awaiter final_suspend() const noexcept { return {}; }

    /// Awaitables of other libraries are adapted; the library's own pass as they are.
    template <class Awaitable>
    decltype(auto) await_transform(Awaitable&& awaited) const {
        using awaited_type = std::remove_reference_t<Awaitable>;
        if constexpr (!native_awaitable<Awaitable>)
            return foreign_awaitable<Awaitable>(std::forward<Awaitable>(awaited));
        else if constexpr (!has_member_co_await<Awaitable> && !has_free_co_await<Awaitable> &&
                           (std::is_lvalue_reference_v<Awaitable> ||
                            !std::is_move_constructible_v<awaited_type>))
            return awaiter_reference<awaited_type>(awaited);
        else
            return std::forward<Awaitable>(awaited);
    }
};

/// Whether a U can be returned where a T is promised. A reference must not be bound to a temporary, which is
/// gone by the time the result is taken.
template <class U, class T>
concept returnable_as = (std::is_lvalue_reference_v<T> && std::is_lvalue_reference_v<U> &&
                         std::convertible_to<std::add_pointer_t<U>, std::add_pointer_t<T>>) ||
                        (!std::is_lvalue_reference_v<T> && std::constructible_from<T, U&&>);

template <class T>
class task_promise : public task_promise_base {
    static_assert(alignof(result_slot<T>) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__,
                  "the result of a task is aligned no stricter than operator new aligns");

public:
    task<T> get_return_object() noexcept;
    EDDY_RARELY_CALLED void unhandled_exception() noexcept { result_.set_error(escaped_exception()); }

    template <class U = T>
        requires returnable_as<U, T>
    void return_value(U&& value) {
        result_.set_value(std::forward<U>(value));
    }

    [[nodiscard]] result_slot<T>& result() noexcept { return result_; }

private:
    result_slot<T> result_;
};

template <>
class task_promise<void> : public task_promise_base {
public:
    task<void> get_return_object() noexcept;
    EDDY_RARELY_CALLED void unhandled_exception() noexcept { result_.set_error(escaped_exception()); }
    void return_void() noexcept { result_.set_value(); }

    [[nodiscard]] result_slot<void>& result() noexcept { return result_; }

private:
    result_slot<void> result_;
};

}  // namespace detail

/// A coroutine that starts when it is awaited and returns a T, or throws.
///
/// - Ownership: one owner. A task moves and does not copy; `co_await std::move(t)` consumes it.
/// - Cancellation: destroying a task, started or not, ends it: the destructors of its locals run, and what it
///   waits for is withdrawn before the destructor of the task returns.
/// - Thread safety: none is needed. A task that has started stays on its worker; one that has not started may
///   be moved to another thread.
/// - Arguments: a coroutine outlives the expression that calls it, so parameters of type `T&&` are refused at
///   compile time (take the argument by value). References are the caller's to keep alive.
/// - Cost: one frame from a per-thread cache; awaiting needs no lock, no atomic and no system call. A loop of
///   awaits that finish at once does not grow the stack.
template <class T = void>
class [[nodiscard]] task {
public:
    using promise_type = detail::task_promise<T>;
    using value_type = T;

    /// A task that holds no coroutine. Requires: it is assigned to before it is awaited.
    task() noexcept = default;
    task(task&& other) noexcept : frame_(std::exchange(other.frame_, {})) {}
    task& operator=(task&& other) noexcept {
        if (this != &other) {
            reset();
            frame_ = std::exchange(other.frame_, {});
        }
        return *this;
    }
    ~task() { reset(); }

    /// Whether there is a coroutine in it.
    [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(frame_); }

    class awaiter {
    public:
        explicit awaiter(std::coroutine_handle<> frame) noexcept : frame_(frame) {}
        awaiter(awaiter&& other) noexcept : frame_(std::exchange(other.frame_, {})) {}
        awaiter& operator=(awaiter&&) = delete;
        ~awaiter() {
            if (frame_)
                frame_.destroy();
        }

        bool await_ready() const noexcept { return false; }

        detail::transfer await_suspend(detail::suspension parent) noexcept {
            promise().continue_at(parent, frame_);
            return detail::transfer_from(parent, frame_);
        }

        T await_resume() { return promise().result().take(); }

    private:
        promise_type& promise() const noexcept {
            return std::coroutine_handle<promise_type>::from_address(frame_.address()).promise();
        }

        std::coroutine_handle<> frame_;
    };

    /// Requires: the task holds a coroutine.
    awaiter operator co_await() && noexcept {
        EDDY_ASSERT(frame_, "an empty task cannot be awaited");
        return awaiter(std::exchange(frame_, {}));
    }

    /// Releases the coroutine to code that runs it, which then owns it.
    [[nodiscard]] std::coroutine_handle<promise_type> release() noexcept { return std::exchange(frame_, {}); }

private:
    friend promise_type;
    explicit task(std::coroutine_handle<promise_type> frame) noexcept : frame_(frame) {}

    void reset() noexcept {
        if (auto frame = std::exchange(frame_, {}))
            frame.destroy();
    }

    std::coroutine_handle<promise_type> frame_;
};

namespace detail {

template <class T>
task<T> task_promise<T>::get_return_object() noexcept {
    return task<T>(std::coroutine_handle<task_promise>::from_promise(*this));
}

inline task<void> task_promise<void>::get_return_object() noexcept {
    return task<void>(std::coroutine_handle<task_promise>::from_promise(*this));
}

}  // namespace detail

}  // namespace eddy

template <class T, class... Args>
struct std::coroutine_traits<eddy::task<T>, Args...> : eddy::detail::checked_parameters<Args...> {
    using promise_type = eddy::detail::task_promise<T>;
};
