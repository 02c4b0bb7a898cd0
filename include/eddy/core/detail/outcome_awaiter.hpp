#pragma once

#include <eddy/detail/build.hpp>

#include <system_error>
#include <type_traits>
#include <utility>

namespace eddy::detail {

[[noreturn]] void throw_outcome(std::error_code error, const char* what);

/// Makes await_resume() of the outcome() of an awaiter, which derives from it: the value, or std::system_error
/// with the error and what() in its message.
template <class Awaiter>
class outcome_awaiter {
public:
    auto await_resume() {
        auto& awaiter = static_cast<Awaiter&>(*this);
        auto outcome = awaiter.outcome();
        if (!outcome.has_value()) [[unlikely]]
            throw_outcome(outcome.error(), awaiter.what());
        if constexpr (!std::is_void_v<typename decltype(outcome)::value_type>)
            return *std::move(outcome);
    }
};

}  // namespace eddy::detail
