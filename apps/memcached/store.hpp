#pragma once

#include "memcached/hash.hpp"
#include "memcached/moment.hpp"
#include "memcached/shard.hpp"

#include <eddy/core/clock.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace eddy::apps::memcached {

/// How a store is made. Setters chain.
class store_options {
public:
    static constexpr std::size_t item_bytes_smallest = 1024;

    store_options() noexcept = default;

    /// For items and what finds them. 64 MiB by default.
    store_options& memory_bytes(std::size_t bytes) noexcept {
        memory_bytes_ = bytes;
        return *this;
    }
    /// The largest value. 1 MiB by default. Requires: item_bytes_smallest at least.
    store_options& value_bytes_max(std::size_t bytes) noexcept {
        value_bytes_max_ = bytes;
        return *this;
    }
    /// How many threads use it. 1 by default: without locks.
    store_options& threads(std::size_t count) noexcept {
        threads_ = count;
        return *this;
    }
    /// What its hashes depend on. Drawn from the system's randomness by default.
    store_options& secret(std::uint64_t bits) noexcept {
        secret_ = bits;
        return *this;
    }

    [[nodiscard]] std::size_t memory_bytes() const noexcept { return memory_bytes_; }
    [[nodiscard]] std::size_t value_bytes_max() const noexcept { return value_bytes_max_; }
    [[nodiscard]] std::size_t threads() const noexcept { return threads_; }
    [[nodiscard]] std::uint64_t secret() const noexcept { return secret_; }

private:
    std::size_t memory_bytes_ = std::size_t{64} << 20;
    std::size_t value_bytes_max_ = std::size_t{1} << 20;
    std::size_t threads_ = 1;
    std::uint64_t secret_ = 0;
};

/// Where items are: shards, each with its share of the memory, and which one a key belongs to.
///
/// Thread safety: a shard is used under its lock; the rest is for any thread.
class store {
public:
    /// `made_at` is the time of the store's clock at which it begins. Throws std::bad_alloc, and
    /// std::invalid_argument if the memory has no room for values of that size.
    store(const store_options& options, time_point made_at);

    [[nodiscard]] moment at(time_point now) const noexcept { return moment::after(now - made_at_); }
    [[nodiscard]] std::uint64_t hash(std::string_view key) const noexcept { return hash_(key); }
    [[nodiscard]] shard& shard_of(std::uint64_t hash) noexcept {
        return *shards_[static_cast<std::size_t>(hash >> 32) & (shards_.size() - 1)];
    }
    [[nodiscard]] std::size_t value_bytes_max() const noexcept { return value_bytes_max_; }
    [[nodiscard]] std::size_t memory_bytes() const noexcept { return memory_bytes_; }
    [[nodiscard]] std::size_t shards() const noexcept { return shards_.size(); }

    /// Everything that is stored up to then is gone at `when`.
    void flush(moment when, moment now);
    [[nodiscard]] store_figures figures();

private:
    std::size_t memory_bytes_;
    std::size_t value_bytes_max_;
    time_point made_at_;
    key_hash hash_;
    std::vector<std::unique_ptr<shard>> shards_;  // a power of two
};

}  // namespace eddy::apps::memcached
