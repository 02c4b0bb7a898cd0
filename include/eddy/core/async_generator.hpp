#pragma once

#include <eddy/core/detail/checked_parameters.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/core/detail/transfer.hpp>
#include <eddy/core/elements_of.hpp>
#include <eddy/core/task.hpp>
#include <eddy/detail/assert.hpp>

#include <concepts>
#include <coroutine>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <ranges>
#include <type_traits>
#include <utility>

namespace eddy {

template <class T>
class async_generator;

namespace detail {

/// As in generator_promise, the coroutines of a generator form a stack: the outermost, the root, has a
/// pointer to the innermost, which next() resumes, and receives the value's address. The links are those of
/// awaits, so that dropping needs nothing of its own; the root's leads to the coroutine that awaits next().
template <class T>
class async_generator_promise : public task_promise_base {
    using frame_handle = std::coroutine_handle<async_generator_promise>;

public:
    async_generator_promise() noexcept : innermost_(frame_handle::from_promise(*this)), root_(this) {}
    async_generator_promise(const async_generator_promise&) = delete;
    async_generator_promise& operator=(const async_generator_promise&) = delete;
    /// The one below is the innermost then.
    ~async_generator_promise() {
        if (root_ != this)
            root_->innermost_ = frame_handle::from_address(continuation().address());
    }

    async_generator<T> get_return_object() noexcept;
    EDDY_RARELY_CALLED void unhandled_exception() noexcept { error_ = escaped_exception(); }
    void return_void() const noexcept {}

    auto yield_value(std::conditional_t<std::is_reference_v<T>, T, T&&> value) noexcept {
        root_->value_ = std::addressof(value);
        return given_value();
    }
    /// What is yielded stays the generator's: its reader gets a copy.
    auto yield_value(const std::remove_reference_t<T>& value)
        requires(!std::is_reference_v<T> && std::copy_constructible<T>)
    {
        return copied_value(value);
    }
    auto yield_value(elements_of<async_generator<T>> nested) noexcept {
        EDDY_ASSERT(!nested.get().has_started(), "a generator that is yielded from has not been read yet");
        return nested_values(nested.get().release());
    }
    template <std::ranges::input_range Range>
        requires std::convertible_to<std::ranges::range_reference_t<Range>, T>
    auto yield_value(elements_of<Range> range) {
        auto&& referred = range.get();
        return nested_values(values_of(referred).release());
    }

    /// Prepares to run to the next value. Returns the coroutine to resume.
    [[nodiscard]] std::coroutine_handle<> begin_next(suspension reader,
                                                     std::coroutine_handle<>& holder) noexcept {
        value_ = nullptr;
        continue_at(reader, holder);
        return innermost_;
    }
    [[nodiscard]] bool has_started() const noexcept { return static_cast<bool>(continuation()); }
    /// Null at the end.
    [[nodiscard]] std::add_pointer_t<T> value() const noexcept { return value_; }
    [[nodiscard]] std::exception_ptr take_error() noexcept { return std::move(error_); }

    /// Destroys the coroutines that the root has on top of it.
    void destroy_nested() noexcept {
        if (&innermost_.promise() == this)
            return;
        continue_at(std::coroutine_handle<>());  // where the unwinding ends
        unwind(innermost_);
    }

private:
    class given_value {
    public:
        bool await_ready() const noexcept { return false; }
        transfer await_suspend(frame_handle yielding) const noexcept {
            return transfer_to(yielding.promise().root_->continuation());
        }
        void await_resume() const noexcept {}
    };

    class copied_value : public given_value {
    public:
        explicit copied_value(const T& value) : copy_(value) {}
        transfer await_suspend(frame_handle yielding) noexcept {
            yielding.promise().root_->value_ = std::addressof(copy_);
            return given_value::await_suspend(yielding);
        }

    private:
        T copy_;
    };

    class nested_values {
    public:
        explicit nested_values(std::coroutine_handle<> nested) noexcept : nested_(nested) {}
        nested_values(const nested_values&) = delete;
        nested_values& operator=(const nested_values&) = delete;
        ~nested_values() {
            if (nested_)
                destroy_frame(nested_);
        }

        bool await_ready() const noexcept { return !nested_; }
        transfer await_suspend(frame_handle outer) noexcept {
            async_generator_promise& nested = frame_handle::from_address(nested_.address()).promise();
            nested.root_ = outer.promise().root_;
            nested.root_->innermost_ = frame_handle::from_promise(nested);
            nested.continue_at(outer, nested_);
            return transfer_to(nested_);
        }
        void await_resume() {
            if (!nested_)
                return;
            const auto error = frame_handle::from_address(nested_.address()).promise().take_error();
            destroy_frame(std::exchange(nested_, {}));
            if (error) [[unlikely]]
                std::rethrow_exception(error);
        }

    private:
        std::coroutine_handle<> nested_;
    };

    template <class Range>
    static async_generator<T> values_of(Range& range);

    frame_handle innermost_;  // the root's
    async_generator_promise* root_;
    std::add_pointer_t<T> value_ = nullptr;  // the root's
    std::exception_ptr error_;
};

}  // namespace detail

/// A coroutine that may wait and that yields many values: to a task that awaits them one by one.
///
///     while (auto line = co_await lines.next())
///         use(*line);
///
/// next() returns std::optional<T>, moved from what was yielded; async_generator<T&> returns an optional of
/// std::reference_wrapper<T>, which is valid until the next call. It is empty at the end, also when called
/// again. `co_yield elements_of(x)` yields all of another async_generator<T>, in O(1) for each value however
/// deep that recursion goes, or of a range.
///
/// - Ownership: moves, does not copy. It runs inside next() only, as part of the task that awaits next().
/// - Cancellation: dropping it half-way runs the destructors of its locals, and withdraws what it waits for,
///   before its destructor returns. Dropping next() while it waits ends the generator as well, at that
///   moment: its coroutine has been interrupted and cannot continue. From then on next() returns the end.
/// - Errors: an exception that leaves it comes out of next() and ends it; one that leaves a generator inside
///   elements_of() comes out of that co_yield first.
/// - Thread safety: none. From the first next() it belongs to its worker.
/// - Cost: one frame from a per-thread cache; a value is a transfer of control there and back.
template <class T>
class [[nodiscard]] async_generator {
    static_assert(!std::is_rvalue_reference_v<T>, "async_generator<T> gives its values to be moved from");

public:
    using promise_type = detail::async_generator_promise<T>;
    /// What the optional of next() holds.
    using value_type =
        std::conditional_t<std::is_reference_v<T>, std::reference_wrapper<std::remove_reference_t<T>>,
                           std::remove_const_t<T>>;

    /// Requires: no task waits for next(). The same holds for assignment. Afterwards `other` is at its end.
    async_generator(async_generator&& other) noexcept : frame_(other.release()) {}
    async_generator& operator=(async_generator&& other) noexcept {
        if (this != &other) {
            reset();
            frame_ = other.release();
        }
        return *this;
    }
    ~async_generator() { reset(); }

    class [[nodiscard]] next_awaiter {
    public:
        explicit next_awaiter(async_generator& requested) noexcept : generator_(requested) {}
        /// Requires: it has not been awaited.
        next_awaiter(next_awaiter&& other) noexcept : generator_(other.generator_) {}
        next_awaiter& operator=(next_awaiter&&) = delete;
        ~next_awaiter() {
            if (waits_)
                generator_.reset();
        }

        bool await_ready() const noexcept { return !generator_.frame_; }
        detail::transfer await_suspend(detail::suspension reader) noexcept {
            EDDY_ASSERT(!generator_.is_running(), "one task at a time awaits a generator");
            waits_ = true;
            return detail::transfer_from(reader, generator_.promise().begin_next(reader, generator_.frame_));
        }
        std::optional<value_type> await_resume() {
            waits_ = false;
            if (!generator_.frame_) [[unlikely]]
                return std::nullopt;
            auto* const value = generator_.promise().value();
            if (value == nullptr) [[unlikely]] {
                generator_.end();
                return std::nullopt;
            }
            return std::optional<value_type>(std::in_place, static_cast<T&&>(*value));
        }

    private:
        async_generator& generator_;
        bool waits_ = false;
    };

    /// Requires: the generator outlives what next() returns, and no other task waits for a value of it.
    next_awaiter next() noexcept { return next_awaiter(*this); }

private:
    friend promise_type;
    explicit async_generator(std::coroutine_handle<promise_type> frame) noexcept : frame_(frame) {}

    [[nodiscard]] promise_type& promise() const noexcept {
        return std::coroutine_handle<promise_type>::from_address(frame_.address()).promise();
    }
    [[nodiscard]] bool has_started() const noexcept { return frame_ && promise().has_started(); }
    /// Whether a task waits for next().
    [[nodiscard]] bool is_running() const noexcept {
        return has_started() && promise().value() == nullptr && !frame_.done();
    }
    [[nodiscard]] std::coroutine_handle<> release() noexcept {
        EDDY_ASSERT(!is_running(), "a generator stays where it is while a task waits for its next value");
        return std::exchange(frame_, {});
    }
    void reset() noexcept {
        if (!frame_)
            return;
        promise().destroy_nested();
        promise().note_drop();
        detail::destroy_frame(std::exchange(frame_, {}));
    }
    void end() {
        const std::exception_ptr error = promise().take_error();
        reset();
        if (error)
            std::rethrow_exception(error);
    }

    std::coroutine_handle<> frame_;  // which an unwinding chain of awaits clears
};

namespace detail {

template <class T>
async_generator<T> async_generator_promise<T>::get_return_object() noexcept {
    return async_generator<T>(frame_handle::from_promise(*this));
}

template <class T>
template <class Range>
async_generator<T> async_generator_promise<T>::values_of(Range& range) {
    for (auto&& value : range)
        co_yield static_cast<std::ranges::range_reference_t<Range&>>(value);
}

}  // namespace detail

}  // namespace eddy

template <class T, class... Args>
struct std::coroutine_traits<eddy::async_generator<T>, Args...> : eddy::detail::checked_parameters<Args...> {
    using promise_type = eddy::detail::async_generator_promise<T>;
};
