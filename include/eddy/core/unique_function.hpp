#pragma once

#include <eddy/detail/build.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

namespace eddy {

template <class Signature>
class unique_function;

/// Owns a function that need not be copyable: std::move_only_function, which libc++ does not have.
///
/// - Ownership: the callable and all that it has captured; moving leaves the source empty.
/// - Thread safety: that of the callable.
/// - Cost: one allocation for each callable.
/// - Errors: calling an empty one throws std::bad_function_call.
template <class Result, class... Args>
class unique_function<Result(Args...)> {
public:
    unique_function() noexcept = default;
    unique_function(std::nullptr_t) noexcept {}
    /// A null pointer to a function makes an empty one. Throws std::bad_alloc and what copying the callable
    /// throws.
    template <class Callable>
        requires(!std::same_as<std::remove_cvref_t<Callable>, unique_function> &&
                 std::is_invocable_r_v<Result, std::decay_t<Callable>&, Args...>)
    unique_function(Callable&& callable) {
        if constexpr (std::is_pointer_v<std::remove_reference_t<Callable>>) {
            if (callable == nullptr)
                return;
        }
        target_ = std::make_unique<target_of<std::decay_t<Callable>>>(std::in_place,
                                                                      std::forward<Callable>(callable));
    }

    Result operator()(Args... args) {
        if (!target_) [[unlikely]]
            throw std::bad_function_call();
        return target_->call(std::forward<Args>(args)...);
    }
    explicit operator bool() const noexcept { return target_ != nullptr; }

private:
    struct target {
        target() = default;
        target(const target&) = delete;
        target& operator=(const target&) = delete;
        virtual ~target() = default;
        virtual Result call(Args... args) = 0;
    };
    template <class Callable>
    struct target_of final : target {
        template <class Given>
        target_of(std::in_place_t, Given&& given) : callable(std::forward<Given>(given)) {}
        Result call(Args... args) override {
            return std::invoke_r<Result>(callable, std::forward<Args>(args)...);
        }
        Callable callable;
    };

    std::unique_ptr<target> target_;
};

}  // namespace eddy
