#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace eddy::apps::memcached {

/// Items by their size: class 1 has blocks of up to 64 bytes, each further one twice as many. Memory is not
/// divided that way here; statistics use the classes.
class size_class {
public:
    static constexpr unsigned count = 40;

    [[nodiscard]] static unsigned of(std::size_t block_bytes) noexcept {
        return block_bytes <= smallest_bytes
                   ? 1
                   : static_cast<unsigned>(std::bit_width((block_bytes - 1) / smallest_bytes)) + 1;
    }
    [[nodiscard]] static std::size_t bytes_max(unsigned number) noexcept {
        return smallest_bytes << (number - 1);
    }

private:
    static constexpr std::size_t smallest_bytes = 64;
};

/// A shard's figures of the items of a class.
struct class_figures {
    std::uint64_t items = 0;
    std::uint64_t block_bytes = 0;
    std::uint64_t evicted = 0;
    std::uint64_t out_of_memory = 0;
    std::uint32_t oldest_access_s = 0;  // last access of the next item to be evicted; 0: no item

    class_figures& operator+=(const class_figures& other) noexcept {
        items += other.items;
        block_bytes += other.block_bytes;
        evicted += other.evicted;
        out_of_memory += other.out_of_memory;
        if (other.oldest_access_s != 0 && (oldest_access_s == 0 || other.oldest_access_s < oldest_access_s))
            oldest_access_s = other.oldest_access_s;
        return *this;
    }
};

/// What a shard, or all of them together, hold and have done since they were made.
struct store_figures {
    std::uint64_t items = 0;
    std::uint64_t items_stored = 0;
    std::uint64_t item_bytes = 0;
    std::uint64_t table_bytes = 0;
    std::uint64_t buckets = 0;
    std::uint64_t evictions = 0;
    std::uint64_t evicted_unfetched = 0;
    std::uint64_t expired = 0;
    std::uint64_t expired_unfetched = 0;
    std::uint64_t asked_expired = 0;  // looked up when they had expired
    std::uint64_t asked_flushed = 0;  // looked up when they had been flushed
    std::array<class_figures, size_class::count> classes;

    store_figures& operator+=(const store_figures& other) noexcept {
        items += other.items;
        items_stored += other.items_stored;
        item_bytes += other.item_bytes;
        table_bytes += other.table_bytes;
        buckets += other.buckets;
        evictions += other.evictions;
        evicted_unfetched += other.evicted_unfetched;
        expired += other.expired;
        expired_unfetched += other.expired_unfetched;
        asked_expired += other.asked_expired;
        asked_flushed += other.asked_flushed;
        for (unsigned number = 0; number < size_class::count; ++number)
            classes[number] += other.classes[number];
        return *this;
    }
};

}  // namespace eddy::apps::memcached
