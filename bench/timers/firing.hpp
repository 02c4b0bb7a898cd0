#pragma once

#include "measure/sample.hpp"

#include <chrono>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace bench {

using steady = std::chrono::steady_clock;

// How late timers fire. None may be early.
class lateness_record {
public:
    void add(steady::duration late) {
        if (late < steady::duration::zero())
            throw failure("a timer was early by " + std::to_string(-late.count()) + " ns");
        histogram_->add(static_cast<std::uint64_t>(late.count()));
    }
    std::int64_t fired() const { return static_cast<std::int64_t>(histogram_->total()); }
    sample stop(const stopwatch& watch) const {
        sample result = watch.stop(fired());
        result.times = histogram_;
        return result;
    }

private:
    std::shared_ptr<latency_histogram> histogram_ = std::make_shared<latency_histogram>();
};

// What fires at given deadlines: all of it, in order and never early.
class deadline_record {
public:
    void fired(steady::time_point deadline) {
        if (deadline < last_)
            throw failure("a timer fired after one that was due later");
        last_ = deadline;
        lateness_.add(steady::now() - deadline);
    }
    sample stop(const stopwatch& watch, std::size_t armed) const {
        expect_all(static_cast<std::int64_t>(armed), lateness_.fired(), "fired");
        return lateness_.stop(watch);
    }

private:
    steady::time_point last_{};
    lateness_record lateness_;
};

// Corosio's: from 100 us for the first timer to 1000 us for the last.
inline std::chrono::microseconds interval_of(int timer, int timers) {
    return std::chrono::microseconds(100 + 900 * timer / (timers > 1 ? timers - 1 : 1));
}

// A million deadlines for a window of one second or more, at random between one and five times the window
// from now; for a shorter window fewer, as dense.
inline std::vector<steady::time_point> random_deadlines(double seconds) {
    std::mt19937_64 generator(1);
    const auto window = std::chrono::duration_cast<steady::duration>(std::chrono::duration<double>(seconds));
    std::uniform_int_distribution<steady::rep> length(window.count(), 5 * window.count());
    const steady::time_point now = steady::now();
    std::vector<steady::time_point> deadlines(static_cast<std::size_t>(1e6 * std::min(seconds, 1.0)));
    for (steady::time_point& each : deadlines)
        each = now + steady::duration(length(generator));
    return deadlines;
}

// How many are set and cancelled between two looks at the clock.
inline constexpr int cancelled_batch = 1000;
inline constexpr std::chrono::hours never_reached(1);

}  // namespace bench
