#pragma once

#include <eddy/http/server/exchange.hpp>

#include <atomic>
#include <memory>
#include <utility>

namespace eddy::http {

/// Whether a program takes requests, as load balancers see it. Thread-safe.
class health {
public:
    health() noexcept = default;
    /// Whether requests should be sent here.
    void set_ready(bool ready) noexcept { is_ready_.store(ready, std::memory_order_relaxed); }
    /// What set_ready() has set.
    [[nodiscard]] bool is_ready() const noexcept { return is_ready_.load(std::memory_order_relaxed); }

private:
    std::atomic<bool> is_ready_{true};
};

/// Answers 200 "ready" or 503 "not ready": for a health that is not ready, and while the server drains. To
/// end without losing requests: set_ready(false), wait for as long as the distributor takes to notice, then
/// server::drain().
class health_page final : public request_handler {
public:
    /// Responds with 200 while `state` is ready, else with 503.
    explicit health_page(std::shared_ptr<const health> state) noexcept : state_(std::move(state)) {}
    [[nodiscard]] ready_or_task<> handle(exchange& ex) override;

private:
    std::shared_ptr<const health> state_;
};

}  // namespace eddy::http
