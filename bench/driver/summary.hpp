#pragma once

#include "driver/campaign.hpp"

#include <cstdint>

namespace bench {

// What a peer's rounds come to: medians, and medians of the per-round ratios to the first peer.
struct summary {
    double requests_per_second, spread, ratio;
    double p50_us, p99_us, p999_us;
    double cpu_us, user_us, system_us, cpu_ratio;
    double server_busy, load_busy;
    std::uint64_t errors;  // of all rounds
};

summary summarise(const peer_rounds& rounds, const peer_rounds& base);

}  // namespace bench
