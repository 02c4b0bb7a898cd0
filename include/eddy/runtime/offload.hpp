#pragma once

#include <eddy/core/detail/result_slot.hpp>
#include <eddy/detail/bound_call.hpp>
#include <eddy/runtime/detail/pool_call.hpp>
#include <eddy/runtime/work_kind.hpp>

#include <concepts>
#include <exception>
#include <type_traits>
#include <utility>

namespace eddy {

namespace detail {

/// One call of a function, which it owns.
template <class Function>
class offloaded_call final : public pool_call {
public:
    using result_type = std::invoke_result_t<Function&>;

    explicit offloaded_call(Function&& function) : pool_call(&run_on_pool), function_(std::move(function)) {}

    [[nodiscard]] static constexpr bool needs_no_thread() noexcept { return false; }
    decltype(auto) take() { return result_.take(); }

private:
    ~offloaded_call() override = default;
    void fail(std::exception_ptr error) noexcept override { result_.set_error(std::move(error)); }

    static void run_on_pool(io::blocking_item& item) noexcept {
        auto& self = static_cast<offloaded_call&>(item);
        try {
            if constexpr (std::is_void_v<result_type>) {
                self.function_();
                self.result_.set_value();
            } else {
                self.result_.set_value(self.function_());
            }
        } catch (...) {
            self.result_.set_error(std::current_exception());
        }
        self.go_home();
    }

    Function function_;
    result_slot<result_type> result_;
};

}  // namespace detail

/// What offload() returns.
template <class Function>
using offload_awaiter = detail::pool_call_awaiter<detail::offloaded_call<Function>>;

/// `co_await offload(kind, function)` calls the function on the runtime's offload pool and returns its
/// result, or throws its exception. Without a kind it is short work; use work_kind::long_running for calls
/// that take longer than some milliseconds, so that they leave threads to short ones.
///
/// - Ownership: the function is moved to the pool and owns what it uses; it must not refer to the caller.
/// - Cancellation: dropping the await discards the result and never waits. A call that has not begun is not
///   made; one that has runs to its end.
/// - Back-pressure: where the pool's queue is full (runtime_options::offload_queue_max), the call waits for
///   room, in order, without a thread and without another allocation. Dropped there, it is not made.
/// - Errors: what std::thread threw (std::system_error, std::bad_alloc) if the pool has no thread and none
///   can be started. The function is then not called: the worker cannot run it, since a function that waits
///   for a task would wait for ever. As long as there is one thread, calls wait for it instead.
/// - Cost: one allocation.
/// - With g++ 12 a lambda that captures by value must not be written inside the co_await expression, which
///   destroys it twice: give it a name and move it in, or pass arguments instead of capturing.
///
/// Requires: awaited on a worker of a runtime.
template <class Function>
    requires(!std::is_lvalue_reference_v<Function> && std::invocable<Function&>)
[[nodiscard]] offload_awaiter<Function> offload(work_kind kind, Function&& function) {
    return offload_awaiter<Function>(new detail::offloaded_call<Function>(std::forward<Function>(function)),
                                     kind);
}
template <class Function>
    requires(!std::is_lvalue_reference_v<Function>)
[[nodiscard]] offload_awaiter<Function> offload(Function&& function) {
    return offload(work_kind::short_running, std::forward<Function>(function));
}

/// `co_await offload(kind, function, arguments...)` calls the function there with the arguments, which are
/// moved or copied along and belong to the call. May be written in one expression with every compiler, as
/// long as the function captures nothing that must be destroyed.
template <class Function, class... Args>
    requires(sizeof...(Args) > 0 && std::invocable<std::decay_t<Function>, std::decay_t<Args>...>)
[[nodiscard]] auto offload(work_kind kind, Function&& function, Args&&... arguments) {
    using call = detail::bound_call<std::decay_t<Function>, std::decay_t<Args>...>;
    return offload(kind, call(std::decay_t<Function>(std::forward<Function>(function)),
                              std::decay_t<Args>(std::forward<Args>(arguments))...));
}
template <class Function, class... Args>
    requires(sizeof...(Args) > 0 && std::invocable<std::decay_t<Function>, std::decay_t<Args>...>)
[[nodiscard]] auto offload(Function&& function, Args&&... arguments) {
    return offload(work_kind::short_running, std::forward<Function>(function),
                   std::forward<Args>(arguments)...);
}

}  // namespace eddy
