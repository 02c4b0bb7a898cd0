#pragma once

#include "memcached/item.hpp"
#include "memcached/region.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace eddy::apps::memcached {

/// Finds items of a region by their keys. Grows by one bucket at a time (linear hashing), so that no
/// insertion takes long; its buckets come in segments that the owner provides. Thread safety: none.
class item_table {
public:
    static constexpr std::size_t segment_buckets = 1024;
    static constexpr std::size_t segment_bytes = segment_buckets * sizeof(region::place);

    explicit item_table(region& memory) noexcept : memory_(memory) {}

    /// Null if there is none, expired or not.
    [[nodiscard]] item* find(std::string_view key, std::uint32_t hash) const noexcept;
    /// Requires: there is none with this key; a segment was added.
    void insert(region::place added) noexcept;
    /// Requires: it is in the table.
    void remove(region::place removed) noexcept;
    /// `fresh` takes the place of `old`, which is in the table and has the same key.
    void replace(region::place old, region::place fresh) noexcept;

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] std::size_t buckets() const noexcept { return buckets_; }
    [[nodiscard]] std::size_t memory_bytes() const noexcept { return segments_.size() * segment_bytes; }
    /// The first item of a bucket; the others follow by next_in_bucket. Requires: bucket < buckets().
    [[nodiscard]] region::place first_in(std::size_t bucket) const noexcept { return head(bucket); }

    /// Whether there are more items than buckets and every segment is full.
    [[nodiscard]] bool needs_segment() const noexcept {
        return buckets_ == segments_.size() * segment_buckets && size_ >= buckets_;
    }
    /// Requires: segment_bytes, aligned for a place, which stay as long as the table. Throws std::bad_alloc.
    void add_segment(std::byte* memory);

private:
    [[nodiscard]] item& at(region::place stored) const noexcept {
        return *reinterpret_cast<item*>(memory_.at(stored));
    }
    [[nodiscard]] region::place& head(std::size_t bucket) const noexcept {
        return segments_[bucket / segment_buckets][bucket % segment_buckets];
    }
    /// Buckets below the split are spread over twice as many.
    [[nodiscard]] std::size_t bucket_of(std::uint32_t hash) const noexcept {
        const std::size_t bucket = hash & (round_ * 2 - 1);
        return bucket < buckets_ ? bucket : bucket - round_;
    }
    [[nodiscard]] region::place* link_to(region::place stored) const noexcept;
    void split_one() noexcept;

    region& memory_;
    std::vector<region::place*> segments_;
    std::size_t buckets_ = 0;
    std::size_t round_ = segment_buckets;  // a power of two, from half of the buckets to all of them
    std::size_t size_ = 0;
};

}  // namespace eddy::apps::memcached
