#pragma once

#include "common/histogram.hpp"

#include <cstdint>
#include <sys/types.h>
#include <vector>

namespace bench {

// Processor time of a group of processes. The total comes from the scheduler and is exact to a tick
// (4 ms at 250 Hz) at each reading; the kernel splits it into user and system by sampling at ticks.
struct cpu_time {
    std::uint64_t total_ns = 0;
    std::uint64_t user_ns = 0;
    std::uint64_t system_ns = 0;

    cpu_time operator-(const cpu_time& earlier) const {
        return {total_ns - earlier.total_ns, user_ns - earlier.user_ns, system_ns - earlier.system_ns};
    }
};

// The sum over `processes`. Throws std::runtime_error when one of them is gone.
cpu_time read_cpu_time(const std::vector<pid_t>& processes);

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
