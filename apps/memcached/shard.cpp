#include "memcached/shard.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

namespace eddy::apps::memcached {

namespace {

// Items that go in order before neighbours go for a hole.
constexpr unsigned evicted_in_order_min = 4;
// After how many insertions more buckets are requested again if the memory for them was in use.
constexpr std::size_t inserted_between_tries = 64;
// The number of buckets that each store searches for expired items.
constexpr std::size_t buckets_swept = 2;

}  // namespace

shard::shard(std::size_t memory_bytes, bool is_shared, std::uint64_t cas_index, std::uint64_t cas_step)
    : mutex_(is_shared), memory_(memory_bytes), cas_step_(cas_step), last_cas_(cas_index) {
    table_.add_segment(memory_.cut_end(item_table::segment_bytes));
}

item* shard::find(std::string_view key, std::uint32_t hash, moment now) noexcept {
    item* const found = table_.find(key, hash);
    if (found == nullptr || !is_over(*found, now)) [[likely]]
        return found;
    ++(is_flushed(*found, now) ? counted_.asked_flushed : counted_.asked_expired);
    count_expired(*found);
    take_out(*found);
    return nullptr;
}

item* shard::allocate(std::string_view key, std::uint32_t hash, std::size_t value_bytes) noexcept {
    const std::size_t bytes = item::bytes_for(key.size(), value_bytes);
    const region::place block = allocate_block(bytes);
    if (block == region::none) {
        ++counted_.classes[size_class::of(region::cost_bytes(bytes))].out_of_memory;
        return nullptr;
    }
    item* const made = std::construct_at(reinterpret_cast<item*>(memory_.at(block)), key, hash, value_bytes);
    made->references = 1;
    return made;
}

void shard::link(item& added, item* old, moment now) noexcept {
    end_flush_if_due(now);
    if (has_mortals_)
        sweep(now);
    const region::place place = place_of(added);
    // Seen in this round, wherever it has come to.
    if (added.expiry_s != 0)
        has_mortals_ = has_seen_mortals_ = true;
    added.cas = next_cas();
    added.accessed_s = now.seconds();
    added.set(item::linked);
    --added.references;
    ++counted_.items_stored;
    class_figures& group = class_of(added);
    ++group.items;
    group.block_bytes += memory_.block_bytes(place);
    if (old == nullptr) {
        table_.insert(place);
        link_newest(place);
        if (table_.needs_segment() && table_.size() % inserted_between_tries == 0) [[unlikely]] {
            retain(added);
            provide_buckets();
            release(added);
        }
        return;
    }
    table_.replace(place_of(*old), place);
    link_newest(place);
    unlink_from_order(*old);
    clear(place_of(*old));
}

void shard::remove(item& removed) noexcept {
    take_out(removed);
}

void shard::renew(item& used, moment now) noexcept {
    used.accessed_s = now.seconds();
    const region::place place = place_of(used);
    if (place == newest_)
        return;
    const region::place newer = used.newer;
    const region::place older = used.older;
    at(newer).older = older;
    (older == region::none ? oldest_ : at(older).newer) = newer;
    link_newest(place);
}

void shard::release(item& held) noexcept {
    if (--held.references == 0 && !held.has(item::linked))
        memory_.free(place_of(held));
}

void shard::flush(moment when, moment now) noexcept {
    end_flush_if_due(now);
    flush_at_ = when;
    end_flush_if_due(now);
}

store_figures shard::figures() const noexcept {
    store_figures reported = counted_;
    reported.items = table_.size();
    reported.table_bytes = table_.memory_bytes();
    reported.buckets = table_.buckets();
    reported.item_bytes = memory_.used_bytes() - table_.memory_bytes();
    if (oldest_ != region::none)
        reported.classes[size_class::of(memory_.block_bytes(oldest_))].oldest_access_s =
            at(oldest_).accessed_s;
    return reported;
}

// A flush that is due comes before whatever is done from then on, so all that is stored by now is meant.
void shard::end_flush_if_due(moment now) noexcept {
    if (flush_at_.is_never() || now < flush_at_) [[likely]]
        return;
    flush_at_ = moment();
    flushed_cas_ = last_cas_;
    has_mortals_ = has_seen_mortals_ = true;
}

void shard::sweep(moment now) noexcept {
    for (std::size_t looked_at = 0; looked_at < buckets_swept; ++looked_at) {
        for (region::place next = table_.first_in(next_sweep_); next != region::none;) {
            item& found = at(next);
            next = found.next_in_bucket;
            has_seen_mortals_ = has_seen_mortals_ || found.expiry_s != 0;
            if (!is_over(found, now))
                continue;
            count_expired(found);
            take_out(found);
        }
        if (++next_sweep_ < table_.buckets())
            continue;
        next_sweep_ = 0;
        has_mortals_ = std::exchange(has_seen_mortals_, false);
    }
}

bool shard::is_flushed(const item& looked_at, moment now) const noexcept {
    return looked_at.cas <= flushed_cas_ || (!flush_at_.is_never() && now >= flush_at_);
}

bool shard::is_over(const item& looked_at, moment now) const noexcept {
    return is_flushed(looked_at, now) || (looked_at.expiry_s != 0 && looked_at.expiry() <= now);
}

class_figures& shard::class_of(const item& stored) noexcept {
    return counted_.classes[size_class::of(block_bytes(stored))];
}

void shard::link_newest(region::place added) noexcept {
    item& linked = at(added);
    linked.newer = region::none;
    linked.older = newest_;
    (newest_ == region::none ? oldest_ : at(newest_).newer) = added;
    newest_ = added;
}

void shard::unlink_from_order(const item& removed) noexcept {
    (removed.newer == region::none ? newest_ : at(removed.newer).older) = removed.older;
    (removed.older == region::none ? oldest_ : at(removed.older).newer) = removed.newer;
    class_figures& group = class_of(removed);
    --group.items;
    group.block_bytes -= block_bytes(removed);
}

region::place shard::take_out(item& removed) noexcept {
    const region::place place = place_of(removed);
    table_.remove(place);
    unlink_from_order(removed);
    return clear(place);
}

region::place shard::clear(region::place block) noexcept {
    at(block).clear(item::linked);
    return at(block).references == 0 ? memory_.free(block) : region::none;
}

void shard::count_expired(const item& ended) noexcept {
    ++counted_.expired;
    if (!ended.has(item::fetched))
        ++counted_.expired_unfetched;
}

region::place shard::allocate_block(std::size_t bytes) noexcept {
    region::place block = memory_.allocate(bytes);
    std::size_t evicted_bytes = 0;
    for (unsigned evicted = 0; block == region::none && oldest_ != region::none; ++evicted) {
        const region::place victim = oldest_;
        evicted_bytes += memory_.block_bytes(victim);
        const region::place hole = evict(at(victim));
        const bool has_room =
            evicted >= evicted_in_order_min && evicted_bytes >= bytes && hole != region::none;
        if (has_room && !widen(hole, bytes))
            continue;
        block = memory_.allocate(bytes);
    }
    return block;
}

region::place shard::evict(item& victim) noexcept {
    ++counted_.evictions;
    ++class_of(victim).evicted;
    if (!victim.has(item::fetched))
        ++counted_.evicted_unfetched;
    return take_out(victim);
}

// Frees what stands next to the hole, first behind it, then in front, until it is large enough. False if
// something is in the way that is being sent or filled.
bool shard::widen(region::place hole, std::size_t bytes) noexcept {
    const std::size_t wanted = region::cost_bytes(bytes);
    while (memory_.block_bytes(hole) < wanted) {
        region::place neighbour = memory_.next(hole);
        if (neighbour == region::none || !at(neighbour).has(item::linked) || at(neighbour).references != 0)
            neighbour = memory_.previous(hole);
        if (neighbour == region::none || !at(neighbour).has(item::linked) || at(neighbour).references != 0)
            return false;
        hole = evict(at(neighbour));
    }
    return true;
}

// Without them buckets only become longer, so that what is in the way may stay.
void shard::provide_buckets() noexcept {
    const std::size_t spare = item_table::segment_bytes + item::bytes_for(item::key_bytes_max, 0);
    const region::place last = memory_.last();
    if (memory_.is_used(last)) {
        item& in_the_way = at(last);
        if (!in_the_way.has(item::linked) || in_the_way.references != 0)
            return;
    }
    const region::place hole = memory_.is_used(last) ? evict(at(last)) : last;
    if (!widen(hole, spare))
        return;
    try {
        if (std::byte* const segment = memory_.cut_end(item_table::segment_bytes))
            table_.add_segment(segment);
    } catch (const std::bad_alloc&) {
        // The piece stays unused.
    }
}

}  // namespace eddy::apps::memcached
