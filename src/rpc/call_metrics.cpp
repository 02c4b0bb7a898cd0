#include "rpc/call_metrics.hpp"

#include <chrono>
#include <exception>
#include <utility>

namespace eddy::rpc {

// The path without the slash in front is what gRPC's label has.
method_metrics::method_metrics(call_metrics& all, std::string_view method)
    : all_(all),
      labels_{{"grpc_method", std::string(method.substr(method.starts_with('/') ? 1 : 0))}},
      started_(all.counter("started_total", "Calls that have begun.", labels_)),
      bytes_sent_(all.counter("sent_message_bytes_total", "Bytes of messages sent, as they are compressed.",
                              labels_)),
      bytes_received_(all.counter("rcvd_message_bytes_total",
                                  "Bytes of messages received, as they are compressed.", labels_)) {}

void method_metrics::count(status_code code, duration length, std::uint64_t bytes_sent,
                           std::uint64_t bytes_received) noexcept {
    bytes_sent_.add(bytes_sent);
    bytes_received_.add(bytes_received);
    try {
        auto seconds = seconds_.find(code);
        if (seconds == seconds_.end()) {
            http::metric_labels labels = labels_;
            labels.emplace_back("grpc_status", to_string(code));
            seconds = seconds_.emplace(code, all_.histogram(labels)).first;
        }
        seconds->second.observe(std::chrono::duration<double>(length).count());
    } catch (const std::exception&) {
        // Memory is out: how long a call has taken is not counted.
    }
}

call_metrics::call_metrics(std::shared_ptr<http::metrics_registry> registry, std::string_view side)
    : registry_(std::move(registry)), side_(side) {}

method_metrics& call_metrics::of(std::string_view method) {
    const auto known = methods_.find(method);
    if (known != methods_.end())
        return known->second;
    return methods_
        .emplace(std::piecewise_construct, std::forward_as_tuple(method),
                 std::forward_as_tuple(*this, method))
        .first->second;
}

std::string call_metrics::name(std::string_view what) const {
    return std::string("grpc_").append(side_).append("_call_").append(what);
}

http::metric_counter call_metrics::counter(std::string_view what, std::string_view help,
                                           const http::metric_labels& labels) const {
    return registry_->make_counter(name(what), help, labels);
}

http::metric_histogram call_metrics::histogram(const http::metric_labels& labels) const {
    return registry_->make_histogram(name("duration_seconds"), "From a call's beginning to its end.",
                                     http::metrics_registry::latency_bounds(), labels);
}

}  // namespace eddy::rpc
