#pragma once

#include <eddy/detail/build.hpp>

#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace eddy::detail {

/// A function and the arguments that it owns. Made once, with both moved into it, and called once.
template <class Function, class... Args>
class bound_call {
public:
    explicit bound_call(Function&& function, Args&&... arguments)
        : function_(std::move(function)), arguments_(std::move(arguments)...) {}

    std::invoke_result_t<Function, Args...> operator()() {
        return std::apply(
            [this](Args&... arguments) -> std::invoke_result_t<Function, Args...> {
                return std::invoke(std::move(function_), std::move(arguments)...);
            },
            arguments_);
    }

private:
    Function function_;
    std::tuple<Args...> arguments_;
};

}  // namespace eddy::detail
