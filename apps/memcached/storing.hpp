#pragma once

#include "memcached/moment.hpp"
#include "memcached/shard.hpp"

#include <cstdint>

namespace eddy::apps::memcached {

/// Under which condition a value is stored, and how.
enum class storing : std::uint8_t { set, add, replace, append, prepend };

struct storage_terms {
    storing how = storing::set;
    bool compares_cas = false;     // `set` and `replace` only if there is an item with this cas
    bool takes_older_cas = false;  // with an older one it is stored as stale
    std::uint64_t cas = 0;
};

enum class storage_outcome : std::uint8_t {
    stored,
    not_stored,  // the condition of add, replace, append or prepend is not met
    other_cas,
    not_found,  // there is nothing with a cas
    too_large,
    no_memory
};

/// Stores an item that was allocated and filled, or frees it. After `stored`, `cas` is the item's.
/// Requires: the lock of its shard; client flags and expiry are set.
[[nodiscard]] storage_outcome store_item(shard& home, item& fresh, const storage_terms& terms,
                                         std::size_t value_bytes_max, moment now,
                                         std::uint64_t& cas) noexcept;

enum class arithmetic_end : std::uint8_t { done, not_a_number, no_memory };

/// What an item that counts holds after a change.
struct arithmetic_outcome {
    arithmetic_end end = arithmetic_end::done;
    std::uint64_t value = 0;
    item* stored = nullptr;  // perhaps another item in its place
};

/// Adds to the number in an item, modulo 2^64, or takes from it, down to 0. What becomes shorter is filled up
/// with spaces. Requires: the lock of its shard; it is live.
[[nodiscard]] arithmetic_outcome change_number(shard& home, item& counting, bool is_taking,
                                               std::uint64_t delta, moment now) noexcept;

}  // namespace eddy::apps::memcached
