#pragma once

#include <exception>
#include <utility>
#include <variant>

namespace lab {

/// What a coroutine leaves behind: nothing yet, a value or an exception. T is void or an object type.
template <class T>
class outcome {
public:
    template <class U>
    void set_value(U&& value) {
        state_.template emplace<1>(std::forward<U>(value));
    }
    void set_error(std::exception_ptr error) noexcept { state_.template emplace<2>(std::move(error)); }

    [[nodiscard]] bool is_set() const noexcept { return state_.index() != 0; }

    /// Moves the value out, or throws the exception. Requires: is_set().
    T take() {
        if (state_.index() == 2)
            std::rethrow_exception(std::move(*std::get_if<2>(&state_)));
        return std::move(*std::get_if<1>(&state_));
    }

private:
    std::variant<std::monostate, T, std::exception_ptr> state_;
};

template <>
class outcome<void> {
public:
    void set_value() noexcept { state_.emplace<1>(); }
    void set_error(std::exception_ptr error) noexcept { state_.emplace<2>(std::move(error)); }

    [[nodiscard]] bool is_set() const noexcept { return state_.index() != 0; }

    void take() {
        if (state_.index() == 2)
            std::rethrow_exception(std::move(*std::get_if<2>(&state_)));
    }

private:
    struct done {};
    std::variant<std::monostate, done, std::exception_ptr> state_;
};

}  // namespace lab
