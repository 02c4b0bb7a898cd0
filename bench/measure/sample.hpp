#pragma once

#include "common/histogram.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <memory>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <sys/time.h>
#include <thread>

namespace bench {

// A measurement could not be made.
struct failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// What one measurement of one subject came to.
struct sample {
    double items = 0;
    double seconds = 0;
    double cpu_seconds = 0;  // of the whole process: all its threads, and children that have ended
    double lost = 0;         // items that got lost, where a benchmark allows that
    // How long items took, or how late they were, where a benchmark asks for that.
    std::shared_ptr<const latency_histogram> times = nullptr;
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

private:
    std::chrono::steady_clock::time_point end_;
};

// A flag that a sleeping thread sets when the time is over, so that asking costs next to nothing.
class alarm_clock {
public:
    explicit alarm_clock(double seconds)
        : sleeper_([this, seconds] {
              std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
              has_rung_.store(true, std::memory_order_relaxed);
          }) {}

    bool has_rung() const { return has_rung_.load(std::memory_order_relaxed); }

private:
    std::atomic<bool> has_rung_{false};
    std::jthread sleeper_;
};

// The times of items of which one ends when the next begins.
class lap_times {
public:
    using clock = std::chrono::steady_clock;

    void note(clock::time_point& began) {
        const clock::time_point now = clock::now();
        histogram_->add(static_cast<std::uint64_t>((now - began).count()));
        began = now;
    }
    std::int64_t total() const { return static_cast<std::int64_t>(histogram_->total()); }
    sample stop(const stopwatch& watch) const {
        sample result = watch.stop(total());
        result.times = histogram_;
        return result;
    }

private:
    std::shared_ptr<latency_histogram> histogram_ = std::make_shared<latency_histogram>();
};

// Throws failure unless all of it has come: items of that name, a message's bytes.
inline void expect_all(std::int64_t wanted, std::int64_t got, const char* items) {
    if (wanted != got)
        throw failure(std::to_string(got) + ' ' + items + " instead of " + std::to_string(wanted));
}
inline void expect_bytes(std::size_t wanted, std::size_t got) {
    expect_all(static_cast<std::int64_t>(wanted), static_cast<std::int64_t>(got), "bytes");
}

}  // namespace bench
