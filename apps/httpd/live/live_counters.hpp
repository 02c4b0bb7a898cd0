#pragma once

#include "common/latency_histogram.hpp"

#include <eddy/core/clock.hpp>
#include <eddy/http/server/exchange.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace eddy::apps {

/// What a worker has done since the last call.
struct live_share {
    std::uint64_t requests = 0;
    std::uint64_t http2_requests = 0;  ///< of these, over HTTP/2
    std::uint64_t body_bytes = 0;
    std::array<std::uint64_t, 5> answers{};  ///< by the first digit of their status, 1 to 5
    latency_histogram latency;               ///< from the whole head of a request to its response
    duration busy{};                         ///< time that its thread was on a processor
    std::size_t connections = 0;             ///< open now
};

/// Counts what the server of one worker does. Belongs to that worker.
class live_counters {
public:
    live_counters() noexcept : busy_before_(thread_time()) {}

    void note(http::exchange& answered);

    /// What has come since the last call.
    [[nodiscard]] live_share take(std::size_t connections);

private:
    [[nodiscard]] static duration thread_time() noexcept;

    live_share share_;
    duration busy_before_;
};

}  // namespace eddy::apps
