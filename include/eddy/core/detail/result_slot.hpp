#pragma once

#include <eddy/detail/assert.hpp>
#include <eddy/detail/build.hpp>

#include <cstdint>
#include <exception>
#include <memory>
#include <type_traits>
#include <utility>

namespace eddy::detail {

struct nothing {};

/// What a coroutine leaves behind: nothing yet, a value or an exception. T may be void, a reference or
/// move-only.
template <class T>
class result_slot {
    using stored = std::conditional_t<std::is_void_v<T>, nothing,
                                      std::conditional_t<std::is_reference_v<T>, std::add_pointer_t<T>, T>>;
    enum class state : std::uint8_t { empty, value, error };
    static constexpr bool has_nothrow_move = std::is_nothrow_move_constructible_v<stored>;

public:
    result_slot() noexcept {}
    /// Takes over what `other` was set to. What its move constructor throws is the error then.
    explicit result_slot(result_slot&& other) noexcept {
        if (other.state_ == state::error) [[unlikely]] {
            std::construct_at(std::addressof(error_), std::move(other.error_));
        } else if constexpr (has_nothrow_move) {
            take_value_over(other);
        } else {
            try {
                take_value_over(other);
            } catch (...) {
                std::construct_at(std::addressof(error_), std::current_exception());
                state_ = state::error;
                return;
            }
        }
        state_ = other.state_;
    }
    result_slot(const result_slot&) = delete;
    result_slot& operator=(const result_slot&) = delete;
    ~result_slot() { destroy(); }

    /// Requires: nothing was set.
    template <class... Args>
    void set_value(Args&&... args) {
        EDDY_ASSERT(state_ == state::empty, "a value is set once");
        if constexpr (std::is_reference_v<T>)
            std::construct_at(std::addressof(value_), std::addressof(args)...);
        else
            std::construct_at(std::addressof(value_), std::forward<Args>(args)...);
        state_ = state::value;
    }

    /// Replaces a value: a destructor may throw after it was set.
    void set_error(std::exception_ptr error) noexcept {
        destroy();
        std::construct_at(std::addressof(error_), std::move(error));
        state_ = state::error;
    }

    [[nodiscard]] bool has_value() const noexcept { return state_ == state::value; }
    [[nodiscard]] bool has_error() const noexcept { return state_ == state::error; }

    /// Requires: has_error().
    [[nodiscard]] const std::exception_ptr& error() const noexcept { return error_; }

    /// Moves the value out or throws the exception. Requires: one of the two was set.
    T take() {
        EDDY_ASSERT(state_ != state::empty, "a result is taken after it was produced");
        if (state_ == state::error) [[unlikely]]
            throw_error();
        return take_value();
    }
    /// Moves the value out. Requires: has_value().
    T take_value() {
        if constexpr (std::is_void_v<T>)
            return;
        else if constexpr (std::is_reference_v<T>)
            return static_cast<T>(*value_);
        else
            return std::move(value_);
    }

    /// Whether destroying it does anything.
    [[nodiscard]] bool needs_destruction() const noexcept {
        if (state_ == state::error) [[unlikely]]
            return true;
        return !std::is_trivially_destructible_v<stored> && state_ == state::value;
    }

private:
    void take_value_over(result_slot& other) noexcept(has_nothrow_move) {
        if constexpr (!std::is_void_v<T>)
            if (other.state_ == state::value) [[likely]]
                std::construct_at(std::addressof(value_), std::move(other.value_));
    }
    void destroy() noexcept {
        if (state_ == state::value)
            std::destroy_at(std::addressof(value_));
        else if (state_ == state::error) [[unlikely]]
            destroy_error();
    }
    [[noreturn, gnu::noinline, gnu::cold]] void throw_error() { std::rethrow_exception(std::move(error_)); }
    EDDY_RARELY_CALLED void destroy_error() noexcept { std::destroy_at(std::addressof(error_)); }

    union {
        stored value_;
        std::exception_ptr error_;
    };
    state state_ = state::empty;
};

}  // namespace eddy::detail
