#pragma once

#include <exception>
#include <string>

namespace eddy::redis::detail {

/// Whether another attempt may succeed: not if the server has refused the credentials.
bool may_pass(const std::exception_ptr& failure) noexcept;

/// What an exception says.
std::string reason_of(const std::exception_ptr& failure);

}  // namespace eddy::redis::detail
