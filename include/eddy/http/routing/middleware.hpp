#pragma once

#include <eddy/core/ready_or_task.hpp>
#include <eddy/http/server/exchange.hpp>

namespace eddy::http {

/// What stands in front of a handler: it looks at a request, changes how it is answered, answers it itself or
/// hands it on. A router has it called for all of its requests, a route for its own.
///
/// Thread safety: none; it belongs to the worker of its router, and serves many requests at a time.
class middleware {
public:
    virtual ~middleware() = default;

    /// Answers, or returns what `next.handle(ex)` returns. To act after that, return a task that awaits
    /// it; a request that `next` answers at once (`is_done()`) needs none. `next` turns what handlers throw
    /// into responses where none has begun, so an exception of `next` means that the response was cut short,
    /// and must be passed on. Dropped: as the handler is. Requires: `next` stays until it ends.
    [[nodiscard]] virtual ready_or_task<> handle(exchange& ex, request_handler& next) = 0;
};

}  // namespace eddy::http
