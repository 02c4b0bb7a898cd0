#pragma once

#include <eddy/core/ready_or_task.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/server/detail/response_writer.hpp>
#include <eddy/http/server/exchange.hpp>

#include <exception>

namespace eddy::http {

/// Awaits the rest of a handler and ends its response, or has it fail.
[[nodiscard]] task<void> finish_response(exchange& ex, response_writer& response, ready_or_task<> rest);

/// Responds to a request whose handler has thrown `failure`, or, null, has not responded; a response that has
/// begun is cut short.
[[nodiscard]] task<void> fail_request(exchange& ex, response_writer& response, std::exception_ptr failure);

}  // namespace eddy::http
