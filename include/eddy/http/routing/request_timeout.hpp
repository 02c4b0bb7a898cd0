#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/http/message/status.hpp>
#include <eddy/http/routing/middleware.hpp>

namespace eddy::http {

/// Drops a handler that takes too long, and responds with 503 Service Unavailable in its place, or with
/// another status (504 Gateway Timeout where the handler waits for other servers). A response that has begun
/// is cut short. The time includes reading the request's body and sending the response. Nothing is measured
/// for a handler that is done at once. See middleware.
class request_timeout final : public middleware {
public:
    /// Responds with `code` after `limit`.
    explicit request_timeout(duration limit, status code = status::service_unavailable) noexcept
        : limit_(limit), code_(code) {}

    [[nodiscard]] ready_or_task<> handle(exchange& ex, request_handler& next) override;

private:
    [[nodiscard]] task<> wait(exchange& ex, ready_or_task<> rest);

    duration limit_;
    status code_;
};

}  // namespace eddy::http
