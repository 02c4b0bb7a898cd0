#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/http/routing/metrics_registry.hpp>
#include <eddy/rpc/status.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace eddy::rpc {

class call_metrics;

/// Counts the calls of one method.
class method_metrics {
public:
    method_metrics(call_metrics& all, std::string_view method);

    void count_start() noexcept { ++started_; }
    /// A call has ended.
    void count(status_code code, duration length, std::uint64_t bytes_sent,
               std::uint64_t bytes_received) noexcept;

private:
    call_metrics& all_;
    http::metric_labels labels_;
    http::metric_counter started_;
    http::metric_counter bytes_sent_;
    http::metric_counter bytes_received_;
    std::map<status_code, http::metric_histogram> seconds_;
};

/// Counts calls into a registry, with the names of gRPC's OpenTelemetry metrics (gRFC A66) in the way of Prometheus.
class call_metrics {
public:
    /// `side`: "client" or "server".
    call_metrics(std::shared_ptr<http::metrics_registry> registry, std::string_view side);

    /// Valid as long as this.
    [[nodiscard]] method_metrics& of(std::string_view method);

    [[nodiscard]] http::metric_counter counter(std::string_view what, std::string_view help,
                                               const http::metric_labels& labels) const;
    [[nodiscard]] http::metric_histogram histogram(const http::metric_labels& labels) const;

private:
    [[nodiscard]] std::string name(std::string_view what) const;

    std::shared_ptr<http::metrics_registry> registry_;
    std::string side_;
    std::map<std::string, method_metrics, std::less<>> methods_;
};

}  // namespace eddy::rpc
