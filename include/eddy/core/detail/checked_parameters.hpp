#pragma once

#include <eddy/detail/build.hpp>

#include <type_traits>

namespace eddy::detail {

/// Refuses parameters of a coroutine that would dangle.
template <class... Args>
struct checked_parameters {
    static_assert((!std::is_rvalue_reference_v<Args> && ...),
                  "a parameter of type T&& would dangle once the coroutine suspends: take it by value");
};

}  // namespace eddy::detail
