#pragma once

#include "common/latency_histogram.hpp"

#include <eddy/core/clock.hpp>

#include <cstdint>
#include <map>
#include <string>

namespace eddy::apps {

/// What came of the requests, or messages, of a run or of a part of it.
struct load_result {
    std::uint64_t answered = 0;        ///< whole responses, of any status
    std::uint64_t unanswered = 0;      ///< due by the rate, and without a response at the end
    std::uint64_t received_bytes = 0;  ///< of bodies, or of messages
    std::uint64_t sent_bytes = 0;      ///< of requests as in HTTP/1.1, or of messages
    std::uint64_t connections_made = 0;
    latency_histogram latency;       ///< from when a request was due: at once, or by the rate wanted
    latency_histogram service_time;  ///< from when it was sent; only with a rate
    std::map<unsigned, std::uint64_t> statuses;
    std::map<std::string, std::uint64_t> errors;  ///< by what they say

    void add(const load_result& other);
    [[nodiscard]] std::uint64_t failed() const noexcept;
};

}  // namespace eddy::apps
