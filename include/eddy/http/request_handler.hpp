#pragma once

#include <eddy/core/prompt_task.hpp>
#include <eddy/http/exchange.hpp>

namespace eddy::http {

/// What answers requests. One handler serves many connections of one worker at a time.
class request_handler {
public:
    virtual ~request_handler() = default;

    /// Answers one request. A handler that ends without an answer, or throws before it has begun one, gives
    /// 500; one that throws later, or leaves out part of a body, ends the connection. Dropped when the server
    /// ends or the connection is cut off.
    [[nodiscard]] virtual prompt_task<> handle(exchange& asked) = 0;
};

}  // namespace eddy::http
