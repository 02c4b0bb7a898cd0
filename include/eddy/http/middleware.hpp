#pragma once

#include <eddy/core/prompt_task.hpp>
#include <eddy/http/exchange.hpp>
#include <eddy/http/request_handler.hpp>

namespace eddy::http {

/// What stands in front of a handler: it looks at a request, changes how it is answered, answers it itself or
/// hands it on. A router has it called for all of its requests, a route for its own.
///
/// Thread safety: none; it belongs to the worker of its router, and serves many requests at a time.
class middleware {
public:
    virtual ~middleware() = default;

    /// Answers, or gives what `next.handle(asked)` gives. What is to happen after that is done by a task
    /// which awaits it; a request that `next` can answer at once needs none: `is_done()` tells. `next` turns
    /// what handlers throw into answers where none has begun, so an exception of `next` means that the answer
    /// was cut short, and is to be passed on. Dropped: as the handler is. Requires: `next` stays until it
    /// ends.
    [[nodiscard]] virtual prompt_task<> handle(exchange& asked, request_handler& next) = 0;
};

}  // namespace eddy::http
