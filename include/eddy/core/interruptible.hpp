#pragma once

#include <eddy/core/as_result.hpp>

#include <concepts>

namespace eddy {

/// An operation whose wait can be ended from outside: interrupt() while is_pending(), and the outcome is what
/// was received by then, or operation_canceled.
template <class Operation>
concept interruptible = reports_outcome<Operation> && requires(Operation& operation) {
    { operation.is_pending() } -> std::convertible_to<bool>;
    operation.interrupt();
};

namespace detail {

/// An operation of which only run time shows whether its wait can be ended from outside.
template <class Operation>
concept runtime_interruptible = interruptible<Operation> && requires(const Operation& operation) {
    { operation.is_interruptible() } -> std::convertible_to<bool>;
};

/// Whether the operation's wait can be ended from outside.
template <interruptible Operation>
[[nodiscard]] bool can_be_interrupted(const Operation& operation) noexcept {
    if constexpr (runtime_interruptible<Operation>)
        return operation.is_interruptible();
    else
        return true;
}

}  // namespace detail

}  // namespace eddy
