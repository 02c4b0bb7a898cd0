#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/http/routing/metrics_registry.hpp>
#include <eddy/rpc/status.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::rpc {

/// Counts calls into a registry, with the names of gRPC's OpenTelemetry metrics (gRFC A66) in the way of Prometheus.
class call_metrics {
public:
    /// `side`: "client" or "server".
    call_metrics(std::shared_ptr<http::metrics_registry> registry, std::string_view side);

    void count_start(std::string_view method);
    /// A call has ended.
    void count(std::string_view method, status_code code, duration length, std::uint64_t bytes_sent,
               std::uint64_t bytes_received) noexcept;

private:
    struct of_method;
    [[nodiscard]] of_method& find(std::string_view method);
    [[nodiscard]] std::string name(std::string_view what) const;

    std::shared_ptr<http::metrics_registry> registry_;
    std::string side_;
    std::map<std::string, of_method, std::less<>> methods_;
};

struct call_metrics::of_method {
    http::metric_counter started;
    http::metric_counter bytes_sent;
    http::metric_counter bytes_received;
    std::map<status_code, http::metric_histogram> seconds;
};

}  // namespace eddy::rpc
