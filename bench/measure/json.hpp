#pragma once

#include "common/histogram.hpp"

#include <nlohmann/json.hpp>

namespace bench {

// As the harness reads it.
inline nlohmann::json times_json(const latency_histogram& seen) {
    return {{"p50", seen.percentile_ns(0.5)},
            {"p90", seen.percentile_ns(0.9)},
            {"p99", seen.percentile_ns(0.99)},
            {"p99.9", seen.percentile_ns(0.999)},
            {"largest", seen.largest_ns()}};
}

}  // namespace bench
