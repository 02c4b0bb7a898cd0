#pragma once

#include "support/todo.hpp"

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
        static_cast<void>(value);
        course::todo("step 2: outcome<T>::set_value");
    }
    /// Replaces a value that was set.
    void set_error(std::exception_ptr) noexcept { course::todo("step 3: outcome<T>::set_error"); }

    [[nodiscard]] bool is_set() const noexcept { return state_.index() != 0; }

    /// Moves the value out, or throws the exception. Requires: is_set().
    T take() { course::todo("step 2: outcome<T>::take"); }

private:
    // Index 0 while nothing is set. T may be std::exception_ptr, so use indices and not types.
    std::variant<std::monostate, T, std::exception_ptr> state_;
};

template <>
class outcome<void> {
public:
    void set_value() noexcept { state_.emplace<1>(); }
    void set_error(std::exception_ptr) noexcept { course::todo("step 3: outcome<void>::set_error"); }

    [[nodiscard]] bool is_set() const noexcept { return state_.index() != 0; }

    void take() {
        // Step 3: throw what set_error() kept.
    }

private:
    struct done {};
    std::variant<std::monostate, done, std::exception_ptr> state_;
};

}  // namespace lab
