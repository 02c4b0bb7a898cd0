#pragma once

#include <eddy/base/clock.hpp>
#include <eddy/http/middleware.hpp>
#include <eddy/http/status.hpp>

namespace eddy::http {

/// Drops a handler that takes too long, and answers 503 Service Unavailable in its place, or what it is told
/// (504 Gateway Timeout for what asks others). If the answer has begun it is cut short. The time includes
/// reading the request's body and sending the answer. Nothing is measured for what is done at once. See
/// middleware.
class request_timeout final : public middleware {
public:
    explicit request_timeout(duration limit, status code = status::service_unavailable) noexcept
        : limit_(limit), code_(code) {}

    [[nodiscard]] prompt_task<> handle(exchange& asked, request_handler& next) override;

private:
    [[nodiscard]] task<> wait(exchange& asked, prompt_task<> rest);

    duration limit_;
    status code_;
};

}  // namespace eddy::http
