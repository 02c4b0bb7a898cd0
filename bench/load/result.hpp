#pragma once

#include "common/histogram.hpp"
#include "load/cpu_clock.hpp"

#include <cstdint>

namespace bench {

// What one window saw.
struct load_result {
    std::uint64_t elapsed_ns = 0;
    std::uint64_t requests_at_once = 1;  // each latency is one of so many
    std::uint64_t errors = 0;            // wrong replies and lost connections, warm-up included
    cpu_time own_cpu;
    cpu_time measured_cpu;
    latency_histogram latencies;
};

}  // namespace bench
