#pragma once

#include <concepts>
#include <coroutine>
#include <expected>
#include <system_error>
#include <utility>

namespace eddy {

/// An awaiter that can give its outcome without throwing.
template <class Awaiter>
concept reports_outcome = requires(Awaiter& awaiter, std::coroutine_handle<> point) {
    { awaiter.await_ready() } -> std::convertible_to<bool>;
    awaiter.await_suspend(point);
    {
        awaiter.outcome()
    } -> std::convertible_to<std::expected<decltype(awaiter.await_resume()), std::error_code>>;
};

/// What as_result() gives.
template <reports_outcome Operation>
class [[nodiscard]] result_of_operation {
public:
    explicit result_of_operation(Operation&& operation) noexcept : operation_(std::move(operation)) {}

    bool await_ready() { return operation_.await_ready(); }
    decltype(auto) await_suspend(std::coroutine_handle<> point) { return operation_.await_suspend(point); }
    auto await_resume() { return operation_.outcome(); }

private:
    Operation operation_;
};

/// `co_await as_result(operation)` gives std::expected<T, std::error_code> where `co_await operation` gives a
/// T or throws std::system_error. Neither allocates when the operation succeeds.
template <reports_outcome Operation>
[[nodiscard]] result_of_operation<Operation> as_result(Operation operation) noexcept {
    return result_of_operation<Operation>(std::move(operation));
}

}  // namespace eddy
