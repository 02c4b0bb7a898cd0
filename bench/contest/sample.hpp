#pragma once

#include "common/histogram.hpp"

#include <chrono>
#include <cstdint>
#include <ctime>
#include <sys/resource.h>
#include <sys/time.h>

namespace bench {

// How long items took, or how late they were, where a contest asks for that; else all are 0.
struct item_times {
    double p50_ns = 0;
    double p90_ns = 0;
    double p99_ns = 0;
    double p999_ns = 0;
    double largest_ns = 0;
};

inline item_times times_of(const latency_histogram& seen) {
    const auto percentile = [&seen](double share) { return static_cast<double>(seen.percentile_ns(share)); };
    return {.p50_ns = percentile(0.5),
            .p90_ns = percentile(0.9),
            .p99_ns = percentile(0.99),
            .p999_ns = percentile(0.999),
            .largest_ns = static_cast<double>(seen.largest_ns())};
}

// What one measurement of one contender came to.
struct sample {
    double items = 0;
    double seconds = 0;
    double cpu_seconds = 0;  // of the whole process: all its threads, and children that have ended
    item_times times = {};
    double lost = 0;               // items that got lost, where a contest allows that
    double peak_memory_bytes = 0;  // the most that was resident; measure_isolated() fills it in where it is 0

    double items_per_second() const { return items / seconds; }
    double ns_per_item() const { return seconds * 1e9 / items; }
    double cpu_ns_per_item() const { return cpu_seconds * 1e9 / items; }
    double items_per_cpu_second() const { return items / cpu_seconds; }
    double p50_ns() const { return times.p50_ns; }
    double p90_ns() const { return times.p90_ns; }
    double p99_ns() const { return times.p99_ns; }
    double p999_ns() const { return times.p999_ns; }
    double peak_bytes() const { return peak_memory_bytes; }
    double lost_share() const { return lost / (items + lost); }
};

// Runs from its construction on.
class stopwatch {
public:
    sample stop(std::int64_t items) const {
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
        return {.items = static_cast<double>(items),
                .seconds = passed.count(),
                .cpu_seconds = cpu_seconds_now() - cpu_start_};
    }

private:
    static double cpu_seconds_now() {
        timespec own{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own);
        rusage children{};
        getrusage(RUSAGE_CHILDREN, &children);
        return static_cast<double>(own.tv_sec) + static_cast<double>(own.tv_nsec) * 1e-9 +
               seconds(children.ru_utime) + seconds(children.ru_stime);
    }
    static double seconds(const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
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
