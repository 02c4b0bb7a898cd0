#include "support/manual_loop.hpp"

#include <eddy/core/frame_cache.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace eddy {
namespace {

using detail::frame_cache;

#if !EDDY_SANITIZED
TEST(frame_cache, gives_a_freed_block_to_the_next_of_its_size_class) {
    void* const first = frame_cache::allocate(100);
    frame_cache::deallocate(first, 100);
    void* const second = frame_cache::allocate(128);
    EXPECT_EQ(first, second);
    void* const other_class = frame_cache::allocate(129);
    EXPECT_NE(other_class, second);
    frame_cache::deallocate(second, 128);
    frame_cache::deallocate(other_class, 129);
}

// Not inlined, or the compiler would place the frame on the stack.
[[gnu::noinline]] task<> nothing_much() {
    co_return;
}

TEST(frame_cache, keeps_all_that_many_tasks_of_a_kind_have_used) {
    std::set<void*> blocks;
    for (int at = 0; at < 10'000; ++at)
        blocks.insert(frame_cache::allocate(100));
    for (void* block : blocks)
        frame_cache::deallocate(block, 100);
    std::vector<void*> again;
    for (int at = 0; at < 10'000; ++at)
        EXPECT_TRUE(blocks.contains(again.emplace_back(frame_cache::allocate(100))));
    for (void* block : again)
        frame_cache::deallocate(block, 100);
    frame_cache::trim();
}

TEST(frame_cache, recycles_the_frame_of_a_task) {
    auto frame = nothing_much().release();
    void* const first = frame.address();
    frame.destroy();
    frame = nothing_much().release();
    EXPECT_EQ(frame.address(), first);
    frame.destroy();
}
#endif

TEST(frame_cache, serves_every_size) {
    const auto before = frame_cache::live_blocks();
    std::vector<std::pair<void*, std::size_t>> blocks;
    for (std::size_t size = 1; size < 20'000; size += 61) {
        blocks.emplace_back(frame_cache::allocate(size), size);
        std::memset(blocks.back().first, 0x5a, size);
    }
    EXPECT_EQ(frame_cache::live_blocks() - before, static_cast<std::int64_t>(blocks.size()));
    for (const auto& [block, size] : blocks)
        frame_cache::deallocate(block, size);
    EXPECT_EQ(frame_cache::live_blocks(), before);
    frame_cache::trim();
}

TEST(frame_cache, keeps_a_bounded_number_of_blocks) {
    std::vector<void*> blocks;
    for (int at = 0; at < 10'000; ++at)
        blocks.push_back(frame_cache::allocate(64));
    for (void* block : blocks)
        frame_cache::deallocate(block, 64);
    frame_cache::trim();
    void* const after = frame_cache::allocate(64);
    frame_cache::deallocate(after, 64);
}

TEST(frame_cache, takes_blocks_of_another_thread) {
    const auto before = frame_cache::live_blocks();
    std::vector<void*> blocks;
    for (int at = 0; at < 1000; ++at)
        blocks.push_back(frame_cache::allocate(256));
    std::int64_t freed_there = 0;
    std::thread other([&] {
        for (void* block : blocks)
            frame_cache::deallocate(block, 256);
        freed_there = frame_cache::live_blocks();
    });
    other.join();
    EXPECT_EQ(freed_there, -1000);
    EXPECT_EQ(frame_cache::live_blocks() - before + freed_there, 0);
}

TEST(frame_cache, moves_tasks_that_have_not_started_to_other_threads) {
    const auto number = [](int value) -> task<int> { co_return value; };
    task<int> work = number(9);
    int result = 0;
    std::thread other([&result, moved = std::move(work)]() mutable {
        test::manual_loop loop;
        auto running = spawn(std::move(moved));
        loop.run();
        result = running.get();
    });
    other.join();
    EXPECT_EQ(result, 9);
}

}  // namespace
}  // namespace eddy
