#pragma once

#include <eddy/core/result_slot.hpp>
#include <eddy/core/resume_loop.hpp>
#include <eddy/io/blocking_executor.hpp>
#include <eddy/runtime/inbox.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/worker.hpp>

#include <concepts>
#include <coroutine>
#include <exception>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace eddy {

namespace detail {

/// An offloaded call on its way to the pool and home again. Owned by its awaiter, or by itself once that was
/// dropped while the call ran.
template <class Function>
class offloaded_call final : public io::blocking_item, public inbox_item {
public:
    using result_type = std::invoke_result_t<Function&>;

    explicit offloaded_call(Function&& function)
        : blocking_item(&run_on_pool), inbox_item(&come_home), function_(std::move(function)) {}

    void start(job& waiter) noexcept {
        waiter_ = &waiter;
        home_ = &worker::current();
        home_->owner().offload_threads().post(*this);
    }

    /// Lets go of the result; frees the call now if it has not begun or is home, else when it comes home.
    void abandon() noexcept {
        waiter_ = nullptr;
        if (home_ == nullptr || is_home_ || home_->owner().offload_threads().retract(*this))
            delete this;
    }

    [[nodiscard]] result_slot<result_type>& result() noexcept { return result_; }

private:
    static void run_on_pool(blocking_item& item) noexcept {
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
        self.home_->post(self);
    }

    static void come_home(inbox_item& item, bool) noexcept {
        auto& self = static_cast<offloaded_call&>(item);
        self.is_home_ = true;
        if (self.waiter_ == nullptr)
            delete &self;
        else
            self.waiter_->loop().make_ready(*self.waiter_);
    }

    Function function_;
    result_slot<result_type> result_;
    worker* home_ = nullptr;
    job* waiter_ = nullptr;  // the home worker's, as is is_home_
    bool is_home_ = false;
};

/// A call with the arguments that it owns. Made once, with the arguments moved into it.
template <class Function, class... Args>
class bound_call {
public:
    explicit bound_call(Function&& function, Args&&... arguments)
        : function_(std::move(function)), arguments_(std::move(arguments)...) {}

    decltype(auto) operator()() {
        return std::apply(
            [this](Args&... arguments) -> decltype(auto) {
                return std::invoke(std::move(function_), std::move(arguments)...);
            },
            arguments_);
    }

private:
    Function function_;
    std::tuple<Args...> arguments_;
};

}  // namespace detail

/// What offload() gives.
template <class Function>
class [[nodiscard]] offload_awaiter {
public:
    explicit offload_awaiter(Function&& function)
        : call_(new detail::offloaded_call<Function>(std::move(function))) {}
    offload_awaiter(offload_awaiter&& other) noexcept : call_(std::exchange(other.call_, nullptr)) {}
    offload_awaiter& operator=(offload_awaiter&&) = delete;
    ~offload_awaiter() {
        if (call_ != nullptr)
            call_->abandon();
    }

    bool await_ready() const noexcept { return false; }
    void await_suspend(detail::suspension point) noexcept {
        call_->start(detail::resume_loop::current().suspend(point));
    }
    decltype(auto) await_resume() { return call_->result().take(); }

private:
    detail::offloaded_call<Function>* call_;
};

/// `co_await offload(function)` calls the function on the runtime's offload pool and gives its result, or
/// throws its exception.
///
/// - Ownership: the function is moved to the pool and owns what it uses; it must not refer to the caller.
/// - Cancellation: dropping the await lets go of the result and never waits. A call that has not begun is not
///   made; one that has runs to its end.
/// - With g++ 12 a lambda that captures by value must not be written inside the co_await expression, which
///   destroys it twice: give it a name and move it in, or hand over arguments instead of capturing.
template <class Function>
    requires(!std::is_lvalue_reference_v<Function>)
[[nodiscard]] offload_awaiter<Function> offload(Function&& function) {
    return offload_awaiter<Function>(std::forward<Function>(function));
}

/// `co_await offload(function, arguments...)` calls the function there with the arguments, which are moved or
/// copied along and belong to the call. May be written in one expression with every compiler, as long as the
/// function captures nothing that must be destroyed.
template <class Function, class... Args>
    requires(sizeof...(Args) > 0 && std::invocable<std::decay_t<Function>, std::decay_t<Args>...>)
[[nodiscard]] auto offload(Function&& function, Args&&... arguments) {
    using call = detail::bound_call<std::decay_t<Function>, std::decay_t<Args>...>;
    return offload_awaiter<call>(call(std::decay_t<Function>(std::forward<Function>(function)),
                                      std::decay_t<Args>(std::forward<Args>(arguments))...));
}

}  // namespace eddy
