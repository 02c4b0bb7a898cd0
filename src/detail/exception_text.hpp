#pragma once

#include <exception>
#include <string>

namespace eddy::detail {

/// What an exception says of itself. Requires: it holds one.
[[nodiscard]] std::string exception_text(const std::exception_ptr& thrown);

}  // namespace eddy::detail
