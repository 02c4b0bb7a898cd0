#pragma once

#include "common/histogram.hpp"
#include "contest/alarm_clock.hpp"
#include "contest/sample.hpp"
#include "driver/errors.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

namespace bench {

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
        result.times = times_of(*histogram_);
        return result;
    }

private:
    std::unique_ptr<latency_histogram> histogram_ = std::make_unique<latency_histogram>();
};

// The sample of a flow. Throws failure unless all that was written was read.
inline sample flow_sample(const stopwatch& watch, std::int64_t written, std::int64_t read) {
    if (written != read)
        throw failure(std::to_string(written) + " bytes written, " + std::to_string(read) + " read");
    return watch.stop(read / 1024);
}

inline sample datagram_sample(const stopwatch& watch, std::int64_t sent, std::int64_t received) {
    sample result = watch.stop(received);
    result.lost = static_cast<double>(sent - received);
    return result;
}

// Throws failure unless a message has come whole.
inline void expect_bytes(std::size_t wanted, std::size_t got) {
    if (wanted != got)
        throw failure(std::to_string(got) + " bytes instead of " + std::to_string(wanted));
}

}  // namespace bench
