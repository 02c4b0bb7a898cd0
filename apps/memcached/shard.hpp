#pragma once

#include "memcached/item.hpp"
#include "memcached/item_table.hpp"
#include "memcached/moment.hpp"
#include "memcached/region.hpp"
#include "memcached/size_class.hpp"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string_view>

namespace eddy::apps::memcached {

/// The mutex of a shard; none where only one thread works.
class shard_mutex {
public:
    explicit shard_mutex(bool is_shared) noexcept : is_shared_(is_shared) {}
    void lock() {
        if (is_shared_)
            mutex_.lock();
    }
    void unlock() {
        if (is_shared_)
            mutex_.unlock();
    }

private:
    std::mutex mutex_;
    bool is_shared_;
};

/// A part of the store: its own memory with items, their table and the order of their use.
///
/// Memory: a region that never grows. When it is full the least recently used items are evicted; if that
/// leaves no hole that is large enough, the neighbours of the last one are evicted as well. An item that is
/// being sent or filled (`references`) stays in memory.
///
/// Expired items are removed when they are looked up; and each store examines a few others, so that all are
/// removed before as many new ones are stored, and no timer is needed.
///
/// Thread safety: a thread that holds lock() may call the rest.
class shard {
public:
    /// Its items have cas ids that are `cas_index` modulo `cas_step`, so that shards with the same step and
    /// other indices never have the same. Throws std::bad_alloc. Requires: cas_index < cas_step.
    shard(std::size_t memory_bytes, bool is_shared, std::uint64_t cas_index = 0, std::uint64_t cas_step = 1);
    shard(const shard&) = delete;
    shard& operator=(const shard&) = delete;

    [[nodiscard]] std::unique_lock<shard_mutex> lock() { return std::unique_lock(mutex_); }

    /// The live item with this key, or null. Removes it if it has expired.
    [[nodiscard]] item* find(std::string_view key, std::uint32_t hash, moment now) noexcept;
    /// An item that is not in the table, with room for its value and one reference; null if there is no
    /// memory.
    [[nodiscard]] item* allocate(std::string_view key, std::uint32_t hash, std::size_t value_bytes) noexcept;
    /// Puts it into the table with a new cas, in place of `old`, and ends its filler's reference. Requires:
    /// `old` is null and there is none with its key, or the live item with its key.
    void link(item& added, item* old, moment now) noexcept;
    void remove(item& removed) noexcept;
    /// It was written just now, so it goes last.
    void renew(item& used, moment now) noexcept;
    /// It was read just now, so it goes last.
    void use(item& used, moment now) noexcept {
        renew(used, now);
        used.set(item::fetched);
    }
    /// From now on it ends then.
    void expire(item& changed, moment when) noexcept {
        changed.expire_at(when);
        if (!when.is_never())
            has_mortals_ = has_seen_mortals_ = true;
    }
    /// Its value was changed in place.
    void change(item& changed) noexcept { changed.cas = next_cas(); }

    /// Until release() its memory stays and its value is not changed.
    static void retain(item& held) noexcept { ++held.references; }
    void release(item& held) noexcept;

    /// Everything that was stored up to then is gone at `when`.
    void flush(moment when, moment now) noexcept;

    [[nodiscard]] store_figures figures() const noexcept;
    [[nodiscard]] std::size_t block_bytes(const item& stored) const noexcept {
        return memory_.block_bytes(place_of(stored));
    }

private:
    [[nodiscard]] std::uint64_t next_cas() noexcept { return last_cas_ += cas_step_; }
    [[nodiscard]] item& at(region::place stored) const noexcept {
        return *reinterpret_cast<item*>(memory_.at(stored));
    }
    [[nodiscard]] region::place place_of(const item& stored) const noexcept {
        return static_cast<region::place>((reinterpret_cast<const std::byte*>(&stored) - memory_.at(0)) /
                                          static_cast<std::ptrdiff_t>(region::unit_bytes));
    }
    [[nodiscard]] bool is_flushed(const item& looked_at, moment now) const noexcept;
    [[nodiscard]] bool is_over(const item& looked_at, moment now) const noexcept;
    void end_flush_if_due(moment now) noexcept;
    /// Removes expired items from some buckets, so that they do not displace live ones.
    void sweep(moment now) noexcept;
    [[nodiscard]] class_figures& class_of(const item& stored) noexcept;

    void link_newest(region::place added) noexcept;
    void unlink_from_order(const item& removed) noexcept;
    /// Takes it out of everything. Returns the free block that it has become part of, none if it is referred
    /// to.
    region::place take_out(item& removed) noexcept;
    void count_expired(const item& ended) noexcept;

    [[nodiscard]] region::place allocate_block(std::size_t bytes) noexcept;
    region::place evict(item& victim) noexcept;
    [[nodiscard]] bool widen(region::place hole, std::size_t bytes) noexcept;
    /// Frees a block if there are no references to it; otherwise returns none.
    region::place clear(region::place block) noexcept;
    void provide_buckets() noexcept;

    shard_mutex mutex_;
    region memory_;
    item_table table_{memory_};
    region::place newest_ = region::none;
    region::place oldest_ = region::none;
    std::uint64_t cas_step_;
    std::uint64_t last_cas_;
    std::uint64_t flushed_cas_ = 0;  // items up to this one are gone
    moment flush_at_;
    std::size_t next_sweep_ = 0;
    bool has_mortals_ = false;       // there may be items that end by themselves, or have been flushed
    bool has_seen_mortals_ = false;  // in this round of sweeping
    store_figures counted_;
};

}  // namespace eddy::apps::memcached
