#pragma once

#include <eddy/http/server/exchange.hpp>

#include <exception>

namespace eddy::http {

/// One line on standard error about a handler that has failed; `error` is null for one that gave no response.
void report_to_standard_error(const exchange& ex, const std::exception_ptr& error) noexcept;

}  // namespace eddy::http
