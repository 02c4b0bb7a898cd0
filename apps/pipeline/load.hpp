#pragma once

#include "pipeline/latencies.hpp"

#include <eddy/combine/task_set.hpp>
#include <eddy/core/clock.hpp>
#include <eddy/core/task.hpp>
#include <eddy/io/endpoint.hpp>
#include <eddy/net/tcp_stream.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace eddy::apps {

struct load_options {
    endpoint where;
    std::size_t connections = 256;
    /// Requests that each connection has under way.
    std::size_t depth = 1;
    duration warm_up = std::chrono::milliseconds(500);
    duration length = std::chrono::seconds(5);
    /// The process whose CPU time is measured; 0 for none.
    int server_process = 0;
    bool tells_progress = false;
};

struct load_result {
    std::uint64_t requests = 0;  ///< answered well
    std::uint64_t errors = 0;    ///< answered with an error, or wrongly; connections lost
    double seconds = 0;
    double server_cpu_us = 0;
    latencies latency;
};

/// Sends requests to a pipeline server, in a closed loop: each connection sends a request for each response
/// it gets.
///
/// Thread safety: none; it belongs to its worker.
class load {
public:
    /// Refers to the options, which outlive it.
    explicit load(const load_options& options) : options_(options) {}

    /// Runs for as long as the options require. Throws std::system_error if it cannot connect.
    [[nodiscard]] task<load_result> run();

private:
    [[nodiscard]] task<> connect_all();
    [[nodiscard]] task<> ask(tcp_stream server, std::uint64_t number);
    [[nodiscard]] task<> tell_progress();

    const load_options& options_;
    load_result result_;
    task_set asking_;
};

}  // namespace eddy::apps
