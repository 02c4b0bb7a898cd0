#include "memcached/item_table.hpp"

#include <algorithm>

namespace eddy::apps::memcached {

item* item_table::find(std::string_view key, std::uint32_t hash) const noexcept {
    for (region::place next = head(bucket_of(hash)); next != region::none;) {
        item& looked_at = at(next);
        if (looked_at.hash == hash && looked_at.key() == key)
            return &looked_at;
        next = looked_at.next_in_bucket;
    }
    return nullptr;
}

void item_table::insert(region::place added) noexcept {
    ++size_;
    if (size_ > buckets_ && buckets_ < segments_.size() * segment_buckets)
        split_one();
    region::place& first = head(bucket_of(at(added).hash));
    at(added).next_in_bucket = first;
    first = added;
}

void item_table::remove(region::place removed) noexcept {
    *link_to(removed) = at(removed).next_in_bucket;
    --size_;
}

void item_table::replace(region::place old, region::place fresh) noexcept {
    at(fresh).next_in_bucket = at(old).next_in_bucket;
    *link_to(old) = fresh;
}

void item_table::add_segment(std::byte* memory) {
    auto* const places = reinterpret_cast<region::place*>(memory);
    segments_.push_back(places);
    std::fill_n(places, segment_buckets, region::none);
    if (buckets_ == 0)
        buckets_ = segment_buckets;
}

region::place* item_table::link_to(region::place stored) const noexcept {
    region::place* link = &head(bucket_of(at(stored).hash));
    while (*link != stored)
        link = &at(*link).next_in_bucket;
    return link;
}

// The bucket to be split is the one that has the new one's number without its highest bit.
void item_table::split_one() noexcept {
    if (buckets_ == round_ * 2)
        round_ *= 2;
    const std::size_t fresh = buckets_++;
    region::place* kept = &head(fresh - round_);
    region::place moved = region::none;
    for (region::place next = *kept; next != region::none;) {
        item& looked_at = at(next);
        const region::place behind = looked_at.next_in_bucket;
        if (bucket_of(looked_at.hash) == fresh) {
            looked_at.next_in_bucket = moved;
            moved = next;
        } else {
            *kept = next;
            kept = &looked_at.next_in_bucket;
        }
        next = behind;
    }
    *kept = region::none;
    head(fresh) = moved;
}

}  // namespace eddy::apps::memcached
