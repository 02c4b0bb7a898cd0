#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace bench {

// Counts of durations in nanoseconds, in buckets whose width grows with the value: 128 a power of two,
// so that a percentile is off by less than 0.8 %. Values past 2^40 ns (18 minutes) count as that.
class latency_histogram {
public:
    void add(std::uint64_t value_ns) {
        ++buckets_[bucket_of(value_ns)];
        ++total_;
        largest_ns_ = value_ns > largest_ns_ ? value_ns : largest_ns_;
    }

    std::uint64_t total() const { return total_; }
    std::uint64_t largest_ns() const { return largest_ns_; }

    // The smallest bucket's middle that at least `share` (0 to 1) of the values do not exceed; 0 when empty.
    std::uint64_t percentile_ns(double share) const {
        if (total_ == 0)
            return 0;
        auto rank = static_cast<std::uint64_t>(share * static_cast<double>(total_) + 0.5);
        rank = rank == 0 ? 1 : rank;
        std::uint64_t seen = 0;
        for (std::uint32_t bucket = 0; bucket < bucket_count; ++bucket) {
            seen += buckets_[bucket];
            if (seen >= rank)
                return middle_of(bucket);
        }
        return largest_ns_;
    }

private:
    static constexpr std::uint32_t fraction_bits = 7;
    static constexpr std::uint32_t fraction_count = 1u << fraction_bits;
    static constexpr std::uint32_t value_bits_max = 40;
    static constexpr std::uint32_t bucket_count = (value_bits_max - fraction_bits + 1) * fraction_count;

    // Below 128 a value is its own bucket; above, the bits after the leading one choose within its power.
    static std::uint32_t bucket_of(std::uint64_t value) {
        if (value < fraction_count)
            return static_cast<std::uint32_t>(value);
        if (value >> value_bits_max)
            return bucket_count - 1;
        const auto shift = static_cast<std::uint32_t>(std::bit_width(value)) - 1 - fraction_bits;
        return shift * fraction_count + static_cast<std::uint32_t>(value >> shift);
    }

    static std::uint64_t middle_of(std::uint32_t bucket) {
        if (bucket < 2 * fraction_count)
            return bucket;
        const std::uint32_t shift = bucket / fraction_count - 1;
        const std::uint64_t lowest = std::uint64_t{bucket - shift * fraction_count} << shift;
        return lowest + (std::uint64_t{1} << shift) / 2;
    }

    std::array<std::uint64_t, bucket_count> buckets_{};
    std::uint64_t total_ = 0;
    std::uint64_t largest_ns_ = 0;
};

}  // namespace bench
