// The memory of eddy-memcached: blocks do not overlap, neighbours that are free are one, and items that are
// found are what was stored, whatever had to go for others.

#include "memcached/region.hpp"
#include "memcached/shard.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace memcached_memory_test {
namespace {

using eddy::apps::memcached::item;
using eddy::apps::memcached::moment;
using eddy::apps::memcached::region;
using eddy::apps::memcached::shard;

constexpr moment some_time(std::uint64_t{100} << 16);

// Walks all blocks. Gives how many bytes those in use have.
std::size_t check_blocks(const region& memory) {
    std::size_t used_bytes = 0;
    bool was_free = false;
    region::place before = region::none;
    for (region::place block = 1; block != region::none; block = memory.next(block)) {
        EXPECT_EQ(memory.previous(block), before);
        const bool is_free = !memory.is_used(block);
        EXPECT_FALSE(is_free && was_free) << "two free blocks are neighbours";
        used_bytes += is_free ? 0 : memory.block_bytes(block);
        was_free = is_free;
        before = block;
    }
    EXPECT_EQ(memory.last(), before);
    return used_bytes;
}

struct held_block {
    region::place place;
    std::size_t bytes;
    unsigned char pattern;
};

bool is_intact(const region& memory, const held_block& block) {
    const std::byte* const begin = memory.at(block.place);
    return std::all_of(begin, begin + block.bytes,
                       [&](std::byte found) { return found == std::byte{block.pattern}; });
}

TEST(memcached_memory, blocks_keep_what_is_written_while_others_come_and_go) {
    const auto seed = std::random_device()();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    region memory(std::size_t{1} << 18);
    std::vector<held_block> held;
    std::size_t cut_bytes = 0;
    for (unsigned step = 0; step < 20'000; ++step) {
        if (random() % 100 < 55 || held.empty()) {
            const std::size_t bytes = 1 + random() % (random() % 10 == 0 ? 20'000 : 300);
            const region::place place = memory.allocate(bytes);
            if (place == region::none)
                continue;
            held.push_back({place, bytes, static_cast<unsigned char>(random())});
            std::memset(memory.at(place), held.back().pattern, bytes);
        } else {
            std::swap(held[random() % held.size()], held.back());
            ASSERT_TRUE(is_intact(memory, held.back()));
            static_cast<void>(memory.free(held.back().place));
            held.pop_back();
        }
        if (step % 2000 == 0 && memory.cut_end(4096) != nullptr)
            cut_bytes += 4096;
        if (step % 100 == 0) {
            ASSERT_EQ(check_blocks(memory) + cut_bytes, memory.used_bytes());
        }
    }
    for (const held_block& block : held) {
        ASSERT_TRUE(is_intact(memory, block));
        static_cast<void>(memory.free(block.place));
    }
    EXPECT_EQ(check_blocks(memory), 0U);
    EXPECT_EQ(memory.used_bytes(), cut_bytes);
    EXPECT_EQ(memory.last(), 1U);
}

// A key's value can be told from the key and a length.
void fill(item& fresh) {
    for (std::size_t at = 0; at < fresh.value_bytes; ++at)
        fresh.value_data()[at] = static_cast<char>(fresh.hash + at);
}

bool is_right(const item& found) {
    for (std::size_t at = 0; at < found.value_bytes; ++at)
        if (found.value()[at] != static_cast<char>(found.hash + at))
            return false;
    return found.value_line().ends_with("\r\n");
}

TEST(memcached_memory, items_are_what_was_stored_whatever_goes_for_others) {
    const auto seed = std::random_device()();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    shard store(std::size_t{1} << 20, false);
    std::vector<item*> retained;
    std::size_t found_count = 0;
    for (unsigned step = 0; step < 60'000; ++step) {
        const std::uint32_t number = random() % 20'000;
        const std::string key = "key-" + std::to_string(number);
        const std::uint32_t hash = number * 2654435761U;
        item* const found = store.find(key, hash, some_time);
        if (found != nullptr) {
            ASSERT_TRUE(is_right(*found));
            ++found_count;
            store.use(*found, some_time);
            if (random() % 50 == 0) {
                shard::retain(*found);
                retained.push_back(found);
            }
        }
        if (random() % 20 == 0 && !retained.empty()) {
            ASSERT_TRUE(is_right(*retained.back()));
            store.release(*retained.back());
            retained.pop_back();
        }
        if (random() % 10 == 0 && found != nullptr) {
            store.remove(*found);
            continue;
        }
        const std::size_t bytes = random() % 500 == 0 ? 200'000 : random() % 400;
        item* const fresh = store.allocate(key, hash, bytes);
        if (fresh == nullptr)
            continue;
        fill(*fresh);
        store.link(*fresh, store.find(key, hash, some_time), some_time);
    }
    EXPECT_GT(found_count, 100U);
    EXPECT_GT(store.figures().evictions, 1000U);
    for (item* each : retained)
        store.release(*each);
    store.flush(some_time, some_time);
    for (unsigned number = 0; number < 20'000; ++number)
        ASSERT_EQ(store.find("key-" + std::to_string(number), number * 2654435761U, some_time), nullptr);
    EXPECT_EQ(store.figures().items, 0U);
    EXPECT_EQ(store.figures().item_bytes, 0U);
}

}  // namespace
}  // namespace memcached_memory_test
