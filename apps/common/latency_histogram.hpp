#pragma once

#include <eddy/core/clock.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace eddy::apps {

/// Counts of durations, in buckets whose width grows with the value: 64 for each power of two, so that a
/// percentile is off by less than 1.6 %. From a nanosecond to 18 minutes; what is longer counts as that.
/// Memory: 18 KiB, allocated with the first value.
class latency_histogram {
public:
    void add(duration took, std::uint64_t times = 1);
    /// Adds all counts of another.
    void add(const latency_histogram& other);
    void clear() noexcept;

    [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
    [[nodiscard]] duration largest() const noexcept { return largest_; }
    [[nodiscard]] duration smallest() const noexcept { return count_ == 0 ? duration::zero() : smallest_; }
    /// In nanoseconds; 0 when empty.
    [[nodiscard]] double mean_ns() const noexcept;
    [[nodiscard]] double deviation_ns() const noexcept;

    /// The latency that at least `share` (0 to 1) of the values do not exceed; 0 when empty.
    [[nodiscard]] duration percentile(double share) const noexcept;
    /// How many values are below `limit`, to the precision of the buckets.
    [[nodiscard]] std::uint64_t count_below(duration limit) const noexcept;

private:
    std::vector<std::uint64_t> buckets_;
    std::uint64_t count_ = 0;
    double sum_ns_ = 0;
    double square_sum_ns_ = 0;
    duration largest_{};
    duration smallest_ = duration::max();
};

}  // namespace eddy::apps
