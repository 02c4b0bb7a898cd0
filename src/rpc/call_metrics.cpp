#include "rpc/call_metrics.hpp"

#include <chrono>
#include <exception>

namespace eddy::rpc {

call_metrics::call_metrics(std::shared_ptr<http::metrics_registry> registry, std::string_view side)
    : registry_(std::move(registry)), side_(side) {}

std::string call_metrics::name(std::string_view what) const {
    return std::string("grpc_").append(side_).append("_call_").append(what);
}

// The path without the slash in front is what gRPC's label has.
call_metrics::of_method& call_metrics::find(std::string_view method) {
    const auto known = methods_.find(method);
    if (known != methods_.end())
        return known->second;
    const http::metric_labels labels = {
        {"grpc_method", std::string(method.substr(method.starts_with('/') ? 1 : 0))}};
    return methods_
        .emplace(
            method,
            of_method{registry_->make_counter(name("started_total"), "Calls that have begun.", labels),
                      registry_->make_counter(name("sent_message_bytes_total"),
                                              "Bytes of messages sent, as they are compressed.", labels),
                      registry_->make_counter(name("rcvd_message_bytes_total"),
                                              "Bytes of messages received, as they are compressed.", labels),
                      {}})
        .first->second;
}

void call_metrics::count_start(std::string_view method) {
    ++find(method).started;
}

void call_metrics::count(std::string_view method, status_code code, duration length, std::uint64_t bytes_sent,
                         std::uint64_t bytes_received) noexcept {
    try {
        of_method& found = find(method);
        found.bytes_sent.add(bytes_sent);
        found.bytes_received.add(bytes_received);
        auto seconds = found.seconds.find(code);
        if (seconds == found.seconds.end())
            seconds = found.seconds
                          .emplace(code, registry_->make_histogram(
                                             name("duration_seconds"), "From a call's beginning to its end.",
                                             http::metrics_registry::latency_bounds(),
                                             {{"grpc_method",
                                               std::string(method.substr(method.starts_with('/') ? 1 : 0))},
                                              {"grpc_status", std::string(to_string(code))}}))
                          .first;
        seconds->second.observe(std::chrono::duration<double>(length).count());
    } catch (const std::exception&) {
        // Memory is out: a call is not counted.
    }
}

}  // namespace eddy::rpc
