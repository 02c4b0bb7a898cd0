#pragma once

#include <eddy/base/clock.hpp>
#include <eddy/http/metrics_registry.hpp>
#include <eddy/http/middleware.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

namespace eddy::http {

class server;

/// Counts requests into a registry, whose text metrics_page shows:
///
/// - http_requests_total by route, method and status, http_request_duration_seconds by route and method,
///   http_requests_in_flight, http_response_body_bytes_total;
/// - with watch(): http_connections, http_connections_accepted_total, http_received_bytes_total and
///   http_sent_bytes_total.
///
/// A route is the pattern that has matched, so that what clients write makes no series; methods that have no
/// name in eddy/http/method.hpp are "other". Each worker has its own, for the same registry. Stands outside
/// of other middleware. Cost: two reads of the clock and a search a request. See middleware.
class server_metrics final : public middleware {
public:
    explicit server_metrics(std::shared_ptr<metrics_registry> registry);

    /// Shows what this server counts itself, as of the last request and at most once a second. Requires: the
    /// server is of this worker and outlives this.
    void watch(const server& watched) noexcept { watched_ = &watched; }

    [[nodiscard]] prompt_task<> handle(exchange& asked, request_handler& next) override;

private:
    class visit;
    void count(exchange& asked, unsigned status_code);
    void look_at_server(time_point now);
    [[nodiscard]] task<> finish(exchange& asked, prompt_task<> rest);

    using route_key = std::pair<const char*, std::uint8_t>;  // the pattern's place, the method
    std::shared_ptr<metrics_registry> registry_;
    std::map<std::tuple<const char*, std::uint8_t, unsigned>, metric_counter> requests_;
    std::map<route_key, metric_histogram> seconds_;
    metric_gauge in_flight_;
    metric_counter body_bytes_;
    metric_gauge connections_;
    metric_counter accepted_;
    metric_counter received_;
    metric_counter sent_;
    std::uint64_t accepted_seen_ = 0;
    std::uint64_t received_seen_ = 0;
    std::uint64_t sent_seen_ = 0;
    const server* watched_ = nullptr;
    time_point looked_at_{};
};

/// Answers with the text of a registry, in the format of Prometheus. Where anybody may ask, put it behind
/// authentication or on a port of its own.
class metrics_page final : public request_handler {
public:
    explicit metrics_page(std::shared_ptr<const metrics_registry> registry) noexcept
        : registry_(std::move(registry)) {}
    [[nodiscard]] prompt_task<> handle(exchange& asked) override;

private:
    std::shared_ptr<const metrics_registry> registry_;
};

}  // namespace eddy::http
