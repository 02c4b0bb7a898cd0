#include "common/latency_histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace eddy::apps {

namespace {

constexpr unsigned fraction_bits = 6;
constexpr std::uint64_t fraction_count = std::uint64_t{1} << fraction_bits;
constexpr unsigned value_bits_max = 40;
constexpr std::size_t bucket_count = (value_bits_max - fraction_bits + 1) * fraction_count;

// Small values are buckets of their own; above, the bits after the leading one choose within its power.
std::size_t bucket_of(std::uint64_t value) noexcept {
    if (value < fraction_count)
        return static_cast<std::size_t>(value);
    if (value >> value_bits_max != 0)
        return bucket_count - 1;
    const auto shift = static_cast<unsigned>(std::bit_width(value)) - 1 - fraction_bits;
    return static_cast<std::size_t>(shift * fraction_count + (value >> shift));
}

std::uint64_t middle_of(std::size_t bucket) noexcept {
    if (bucket < 2 * fraction_count)
        return bucket;
    const std::uint64_t shift = bucket / fraction_count - 1;
    const std::uint64_t lowest = (bucket - shift * fraction_count) << shift;
    return lowest + (std::uint64_t{1} << shift) / 2;
}

}  // namespace

void latency_histogram::add(duration took, std::uint64_t times) {
    if (times == 0)
        return;
    if (buckets_.empty())
        buckets_.resize(bucket_count);
    took = std::max(took, duration::zero());
    const auto value_ns = static_cast<double>(took.count());
    buckets_[bucket_of(static_cast<std::uint64_t>(took.count()))] += times;
    count_ += times;
    sum_ns_ += value_ns * static_cast<double>(times);
    square_sum_ns_ += value_ns * value_ns * static_cast<double>(times);
    largest_ = std::max(largest_, took);
    smallest_ = std::min(smallest_, took);
}

void latency_histogram::add(const latency_histogram& other) {
    if (other.count_ == 0)
        return;
    if (buckets_.empty())
        buckets_.resize(bucket_count);
    for (std::size_t bucket = 0; bucket < bucket_count; ++bucket)
        buckets_[bucket] += other.buckets_[bucket];
    count_ += other.count_;
    sum_ns_ += other.sum_ns_;
    square_sum_ns_ += other.square_sum_ns_;
    largest_ = std::max(largest_, other.largest_);
    smallest_ = std::min(smallest_, other.smallest_);
}

void latency_histogram::clear() noexcept {
    std::ranges::fill(buckets_, 0);
    count_ = 0;
    sum_ns_ = 0;
    square_sum_ns_ = 0;
    largest_ = {};
    smallest_ = duration::max();
}

double latency_histogram::mean_ns() const noexcept {
    return count_ == 0 ? 0 : sum_ns_ / static_cast<double>(count_);
}

double latency_histogram::deviation_ns() const noexcept {
    if (count_ == 0)
        return 0;
    const double mean = mean_ns();
    return std::sqrt(std::max(0.0, square_sum_ns_ / static_cast<double>(count_) - mean * mean));
}

duration latency_histogram::percentile(double share) const noexcept {
    if (count_ == 0)
        return duration::zero();
    const auto wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(count_)));
    const std::uint64_t rank = std::clamp<std::uint64_t>(wanted, 1, count_);
    if (rank == count_)
        return largest_;
    std::uint64_t seen = 0;
    for (std::size_t bucket = 0; bucket < bucket_count; ++bucket) {
        seen += buckets_[bucket];
        if (seen >= rank)
            return std::clamp(duration(middle_of(bucket)), smallest_, largest_);
    }
    return largest_;
}

std::uint64_t latency_histogram::count_below(duration limit) const noexcept {
    if (limit <= duration::zero() || buckets_.empty())
        return 0;
    if (limit > largest_)
        return count_;
    const std::size_t end = bucket_of(static_cast<std::uint64_t>(limit.count()));
    return std::accumulate(buckets_.begin(), buckets_.begin() + static_cast<std::ptrdiff_t>(end),
                           std::uint64_t{0});
}

}  // namespace eddy::apps
