#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>

namespace bench {

// How much later than it should have been something happened.
struct lateness {
    double p50_us = 0;
    double p99_us = 0;
    double largest_us = 0;
};

// What one measurement of one contender came to.
struct sample {
    double items = 0;
    double seconds = 0;
    double cpu_seconds = 0;  // of the whole process: all its threads, those that feed others included
    lateness late{};         // in contests that have it

    double items_per_second() const { return items / seconds; }
    double ns_per_item() const { return seconds * 1e9 / items; }
    double cpu_ns_per_item() const { return cpu_seconds * 1e9 / items; }
};

// Runs from its construction on.
class stopwatch {
public:
    sample stop(std::int64_t items) const {
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
        return {.items = static_cast<double>(items),
                .seconds = passed.count(),
                .cpu_seconds = cpu_seconds_now() - cpu_start_,
                .late = {}};
    }

private:
    static double cpu_seconds_now() {
        timespec now{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
        return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
    }

    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    double cpu_start_ = cpu_seconds_now();
};

// A time from its construction on that is over or not.
class time_window {
public:
    explicit time_window(double seconds)
        : end_(std::chrono::steady_clock::now() +
               std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                   std::chrono::duration<double>(seconds))) {}

    bool is_over() const { return std::chrono::steady_clock::now() >= end_; }
    std::chrono::steady_clock::time_point end() const { return end_; }

private:
    std::chrono::steady_clock::time_point end_;
};

}  // namespace bench
