#include "memcached/store.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <random>
#include <stdexcept>

namespace eddy::apps::memcached {

namespace {

// A shard has room for so many of the largest values, so that a few that are being sent or filled do not take
// all of it.
constexpr std::size_t largest_values_min = 4;
constexpr std::size_t shards_per_thread = 4;
// What passes through the buffers of connections comes out of the memory as well: a small share of it.
constexpr std::size_t buffers_share = 32;
constexpr std::size_t buffers_bytes_max = std::size_t{8} << 20;

std::size_t shard_count(const store_options& options) {
    const std::size_t for_threads =
        options.threads() < 2 ? 1 : std::bit_ceil(options.threads() * shards_per_thread);
    const std::size_t bytes_min = options.value_bytes_max() * largest_values_min;
    const std::size_t most = std::bit_floor(std::max<std::size_t>(options.memory_bytes() / bytes_min, 1));
    const std::size_t least =
        std::bit_ceil((options.memory_bytes() + region::bytes_max - 1) / region::bytes_max);
    return std::max(std::min(for_threads, most), least);
}

std::uint64_t drawn() {
    std::random_device random;
    return std::uint64_t{random()} << 32 | random();
}

}  // namespace

// The clock begins a second before, so that no moment of the store's is 0.
store::store(const store_options& options, time_point made_at)
    : memory_bytes_(options.memory_bytes()),
      value_bytes_max_(options.value_bytes_max()),
      made_at_(made_at - std::chrono::seconds(1)),
      hash_(options.secret() != 0 ? options.secret() : drawn()) {
    if (memory_bytes_ < value_bytes_max_ + (std::size_t{64} << 10))
        throw std::invalid_argument("the memory is too small for values of this size");
    const std::size_t count = shard_count(options);
    const std::size_t bytes = memory_bytes_ - std::min(memory_bytes_ / buffers_share, buffers_bytes_max);
    for (std::size_t made = 0; made < count; ++made)
        shards_.push_back(std::make_unique<shard>(bytes / count, options.threads() > 1, made, count));
}

void store::flush(moment when, moment now) {
    for (const auto& part : shards_) {
        const auto held = part->lock();
        part->flush(when, now);
    }
}

store_figures store::figures() {
    store_figures sum;
    for (const auto& part : shards_) {
        const auto held = part->lock();
        sum += part->figures();
    }
    return sum;
}

}  // namespace eddy::apps::memcached
