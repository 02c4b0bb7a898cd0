#pragma once

#include <eddy/core/detail/checked_parameters.hpp>
#include <eddy/core/detail/frame_cache.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/core/elements_of.hpp>
#include <eddy/detail/assert.hpp>

#include <concepts>
#include <coroutine>
#include <cstddef>
#include <exception>
#include <iterator>
#include <memory>
#include <ranges>
#include <type_traits>
#include <utility>

namespace eddy {

template <class T>
class generator;

namespace detail {

/// The coroutines of a generator form a stack, linked from the innermost one outwards. The outermost, the
/// root, has a pointer to the innermost, resumes it for each value, and receives the value's address.
template <class T>
class generator_promise : public chain_link, public in_frame_cache {
    using reference = std::conditional_t<std::is_reference_v<T>, T, T&&>;
    using frame_handle = std::coroutine_handle<generator_promise>;

public:
    generator_promise() noexcept : innermost_(frame_handle::from_promise(*this)), root_(this) {}
    generator_promise(const generator_promise&) = delete;
    generator_promise& operator=(const generator_promise&) = delete;
    ~generator_promise() = default;

    generator<T> get_return_object() noexcept;
    std::suspend_always initial_suspend() const noexcept { return {}; }

    struct final_awaiter {
        bool await_ready() const noexcept { return false; }
        void await_suspend(frame_handle ended) const noexcept {
            generator_promise& self = ended.promise();
            self.root_->innermost_ = frame_handle::from_address(self.continuation().address());
        }
        void await_resume() const noexcept {}
    };
    final_awaiter final_suspend() const noexcept { return {}; }
    void unhandled_exception() noexcept { error_ = std::current_exception(); }
    void return_void() const noexcept {}

    /// A generator does not wait; async_generator does.
    template <class Awaitable>
    void await_transform(Awaitable&&) = delete;

    std::suspend_always yield_value(reference value) noexcept {
        root_->value_ = std::addressof(value);
        return {};
    }
    /// What is yielded stays the generator's: its reader gets a copy of its own.
    auto yield_value(const std::remove_reference_t<T>& value)
        requires(!std::is_reference_v<T> && std::copy_constructible<T>)
    {
        return copied_value(value);
    }
    auto yield_value(elements_of<generator<T>> nested) noexcept {
        EDDY_ASSERT(!nested.get().has_started(), "a generator that is yielded from has not been read yet");
        return nested_values(nested.get().release());
    }
    template <std::ranges::input_range Range>
        requires std::convertible_to<std::ranges::range_reference_t<Range>, T>
    auto yield_value(elements_of<Range> range) {
        auto&& referred = range.get();
        return nested_values(values_of(referred).release());
    }

    [[nodiscard]] bool has_started() const noexcept { return value_ != nullptr || !innermost_; }
    [[nodiscard]] bool has_value() const noexcept { return value_ != nullptr; }
    [[nodiscard]] reference value() const noexcept { return static_cast<reference>(*value_); }

    /// Runs to the next value, or to the end, where it throws what has left the root.
    void advance() {
        value_ = nullptr;
        do
            innermost_.resume();
        while (value_ == nullptr && innermost_);
        if (value_ == nullptr) [[unlikely]]
            throw_error();
    }

    /// Destroys the coroutines that the root has on top of it.
    void destroy_nested() noexcept {
        if (innermost_ && &innermost_.promise() != this)
            unwind(innermost_);
    }

private:
    using pointer = std::add_pointer_t<reference>;

    class copied_value {
    public:
        explicit copied_value(const T& value) : copy_(value) {}
        bool await_ready() const noexcept { return false; }
        void await_suspend(frame_handle yielding) noexcept {
            yielding.promise().root_->value_ = std::addressof(copy_);
        }
        void await_resume() const noexcept {}

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
                nested_.destroy();
        }

        bool await_ready() const noexcept { return !nested_; }
        void await_suspend(frame_handle outer) noexcept {
            generator_promise& root = *outer.promise().root_;
            promise().root_ = &root;
            promise().continue_at(outer, nested_);
            root.innermost_ = frame_handle::from_address(nested_.address());
        }
        void await_resume() {
            if (nested_)
                promise().throw_error();
        }

    private:
        [[nodiscard]] generator_promise& promise() const noexcept {
            return frame_handle::from_address(nested_.address()).promise();
        }
        std::coroutine_handle<> nested_;
    };

    template <class Range>
    static generator<T> values_of(Range& range);

    void throw_error() {
        if (error_)
            std::rethrow_exception(std::move(error_));
    }

    frame_handle innermost_;  // the root's: the coroutine to resume, or null at the end
    generator_promise* root_;
    pointer value_ = nullptr;  // the root's
    std::exception_ptr error_;
};

}  // namespace detail

/// A coroutine that yields values to a loop, one by one: an input range and a view.
///
///     generator<int> count(int from, int to) {
///         for (int at = from; at < to; ++at)
///             co_yield at;
///     }
///     for (int at : count(1, 4)) ...
///
/// generator<T> returns each value as T&&, to be moved from; generator<T&> and generator<const T&> refer to
/// what the coroutine yields. Either is valid until the next increment. `co_yield elements_of(x)`
/// yields all of another generator<T>, in O(1) for each value however deep that recursion goes, or of a
/// range.
///
/// - Ownership: moves, does not copy. It runs inside begin() and ++ only, on the thread that calls them.
/// - Cancellation: dropping it half-way runs the destructors of its locals, and those of generators that it
///   yields from before its own; the depth of that recursion costs no stack.
/// - Errors: an exception that leaves it comes out of begin() or ++ and ends it; one that leaves a generator
///   inside elements_of() comes out of that co_yield first.
/// - Waiting: refused at compile time; async_generator may wait.
/// - Thread safety: none.
/// - Cost: one frame from a per-thread cache; a value is one indirect call.
template <class T>
class [[nodiscard]] generator : public std::ranges::view_base {
public:
    using promise_type = detail::generator_promise<T>;
    using value_type = std::remove_cvref_t<T>;
    using reference = std::conditional_t<std::is_reference_v<T>, T, T&&>;

    /// Afterwards `other` holds nothing and can only be assigned to. The same holds for assignment.
    generator(generator&& other) noexcept : frame_(std::exchange(other.frame_, {})) {}
    generator& operator=(generator&& other) noexcept {
        if (this != &other) {
            reset();
            frame_ = std::exchange(other.frame_, {});
        }
        return *this;
    }
    ~generator() { reset(); }

    class iterator {
    public:
        using value_type = generator::value_type;
        using difference_type = std::ptrdiff_t;

        explicit iterator(promise_type& promise) noexcept : promise_(&promise) {}
        iterator(iterator&&) noexcept = default;
        iterator& operator=(iterator&&) noexcept = default;

        [[nodiscard]] reference operator*() const noexcept { return promise_->value(); }
        iterator& operator++() {
            promise_->advance();
            return *this;
        }
        void operator++(int) { promise_->advance(); }
        [[nodiscard]] friend bool operator==(const iterator& at, std::default_sentinel_t) noexcept {
            return !at.promise_->has_value();
        }

    private:
        promise_type* promise_;
    };

    /// Where the generator stands: the first time it runs to its first value. Requires: it holds a coroutine.
    [[nodiscard]] iterator begin() {
        EDDY_ASSERT(frame_, "a generator that has been moved from has no values");
        if (!has_started())
            frame_.promise().advance();
        return iterator(frame_.promise());
    }
    [[nodiscard]] std::default_sentinel_t end() const noexcept { return std::default_sentinel; }

private:
    friend promise_type;
    explicit generator(std::coroutine_handle<promise_type> frame) noexcept : frame_(frame) {}

    [[nodiscard]] bool has_started() const noexcept { return frame_ && frame_.promise().has_started(); }
    [[nodiscard]] std::coroutine_handle<> release() noexcept { return std::exchange(frame_, {}); }
    void reset() noexcept {
        if (const auto frame = std::exchange(frame_, {})) {
            frame.promise().destroy_nested();
            frame.destroy();
        }
    }

    std::coroutine_handle<promise_type> frame_;
};

namespace detail {

template <class T>
generator<T> generator_promise<T>::get_return_object() noexcept {
    return generator<T>(frame_handle::from_promise(*this));
}

template <class T>
template <class Range>
generator<T> generator_promise<T>::values_of(Range& range) {
    for (auto&& value : range)
        co_yield static_cast<std::ranges::range_reference_t<Range&>>(value);
}

}  // namespace detail

}  // namespace eddy

template <class T, class... Args>
struct std::coroutine_traits<eddy::generator<T>, Args...> : eddy::detail::checked_parameters<Args...> {
    using promise_type = eddy::detail::generator_promise<T>;
};
