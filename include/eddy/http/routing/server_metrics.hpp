#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/http/routing/metrics_registry.hpp>
#include <eddy/http/routing/middleware.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

namespace eddy::http {

class server;

/// Counts requests into a registry, whose text metrics_page shows:
///
/// - http_requests_total by route, method and status, http_request_duration_seconds by route and method,
///   http_requests_in_flight, http_response_body_bytes_total;
/// - with watch(): http_connections, http_connections_accepted_total, http_received_bytes_total,
///   http_sent_bytes_total, and of HTTP/2: http2_connections_total, http2_streams_total, http2_streams_reset_total,
///   http2_limits_exceeded_total, http2_goaways_total.
///
/// A route is the pattern that has matched, so that what clients write makes no series; methods that have no
/// name in eddy/http/message/method.hpp are "other". Each worker has its own, for the same registry. Add it outside
/// of other middleware. Cost: two reads of the clock and a search a request. See middleware.
class server_metrics final : public middleware {
public:
    /// Counts into `registry`, which it shares.
    explicit server_metrics(std::shared_ptr<metrics_registry> registry);

    /// Shows what this server counts itself, as of the last request and at most once a second. Requires: the
    /// server is of this worker and outlives this.
    void watch(const server& watched) noexcept { watched_ = &watched; }

    [[nodiscard]] ready_or_task<> handle(exchange& ex, request_handler& next) override;

private:
    class visit;
    void count(exchange& ex, unsigned status_code);
    void look_at_server(time_point now);
    [[nodiscard]] task<> finish(exchange& ex, ready_or_task<> rest);

    using route_key = std::pair<const char*, std::uint8_t>;  // the pattern's place, the method
    std::shared_ptr<metrics_registry> registry_;
    std::map<std::tuple<const char*, std::uint8_t, unsigned>, metric_counter> requests_;
    std::map<route_key, metric_histogram> seconds_;
    metric_gauge in_flight_;
    metric_counter body_bytes_;
    metric_gauge connections_;
    std::vector<std::pair<metric_counter, std::uint64_t>> of_server_;  // and what was seen last
    const server* watched_ = nullptr;
    time_point looked_at_{};
};

/// Responds with the text of a registry, in the format of Prometheus. On a public server put it behind
/// authentication or on a port of its own.
class metrics_page final : public request_handler {
public:
    /// Responds with the metrics of `registry`, which it shares.
    explicit metrics_page(std::shared_ptr<const metrics_registry> registry) noexcept
        : registry_(std::move(registry)) {}
    [[nodiscard]] ready_or_task<> handle(exchange& ex) override;

private:
    std::shared_ptr<const metrics_registry> registry_;
};

}  // namespace eddy::http
