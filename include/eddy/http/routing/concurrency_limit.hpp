#pragma once

#include <eddy/http/routing/middleware.hpp>

#include <chrono>
#include <cstddef>
#include <memory>

namespace eddy::http {

/// Answers 503 Service Unavailable with Retry-After for requests beyond so many at one time, on its worker.
/// See middleware.
class concurrency_limit final : public middleware {
public:
    /// Responds with 503 and Retry-After to more requests than that at once.
    explicit concurrency_limit(std::size_t requests_max,
                               std::chrono::seconds retry_after = std::chrono::seconds(1))
        : requests_max_(requests_max), retry_after_(retry_after) {}

    [[nodiscard]] ready_or_task<> handle(exchange& ex, request_handler& next) override;
    /// How many run at the moment.
    [[nodiscard]] std::size_t requests() const noexcept { return requests_; }

private:
    [[nodiscard]] task<> finish(ready_or_task<> rest);

    std::size_t requests_max_;
    std::chrono::seconds retry_after_;
    std::size_t requests_ = 0;
};

}  // namespace eddy::http
