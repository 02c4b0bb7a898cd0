#include "support/manual_loop.hpp"

#include <eddy/core/detail/frame_cache.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/detail/allocation_window.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <new>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace eddy::frame_cache_test {
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

std::vector<void*> allocate_many(std::size_t count, std::size_t size) {
    std::vector<void*> blocks;
    for (std::size_t at = 0; at < count; ++at)
        blocks.push_back(frame_cache::allocate(size));
    return blocks;
}

void deallocate_all(const std::vector<void*>& blocks, std::size_t size) {
    for (void* block : blocks)
        frame_cache::deallocate(block, size);
}

/// Uses so many blocks at once.
void use(std::size_t count, std::size_t size) {
    deallocate_all(allocate_many(count, size), size);
}

/// How many blocks come from the cache, by using them all.
std::size_t count_kept(std::size_t size) {
    std::vector<void*> blocks;
    blocks.reserve(20'000);
    detail::allocation_window::open(1);
    try {
        for (;;)
            blocks.push_back(frame_cache::allocate(size));
    } catch (const std::bad_alloc&) {
        detail::allocation_window::close();
    }
    deallocate_all(blocks, size);
    return blocks.size();
}

/// Looks until there is nothing that would have to be gone on with. Gives how many looks that took.
int look(detail::trim_rest& left) {
    int looks = 1;
    while ((left = frame_cache::trim_some()) == detail::trim_rest::much)
        ++looks;
    return looks;
}

TEST(frame_cache, gives_back_what_was_not_needed_between_two_looks) {
    frame_cache::trim();
    use(10'000, 100);
    detail::trim_rest left{};
    look(left);
    EXPECT_EQ(left, detail::trim_rest::some);
    use(1000, 100);
    EXPECT_GT(look(left), 9000 / 1000) << "a bounded number at a time";
    EXPECT_EQ(left, detail::trim_rest::some);
    EXPECT_EQ(count_kept(100), 1000U);
    frame_cache::trim();
}

TEST(frame_cache, gives_nothing_back_of_what_is_used_all_the_time) {
    frame_cache::trim();
    use(10'000, 100);
    detail::allocation_window::open(1);
    for (int looks = 0; looks < 10; ++looks) {
        detail::trim_rest left{};
        look(left);
        EXPECT_NO_THROW(use(10'000, 100));
    }
    detail::allocation_window::close();
    EXPECT_EQ(count_kept(100), 10'000U);
    frame_cache::trim();
}

TEST(frame_cache, has_nothing_left_once_nobody_has_needed_it_for_long) {
    frame_cache::trim();
    use(10'000, 100);
    use(1000, 2000);
    detail::trim_rest left{};
    look(left);
    look(left);
    EXPECT_EQ(left, detail::trim_rest::little);
    EXPECT_EQ(count_kept(100), 0U);
    EXPECT_EQ(count_kept(2000), 0U);
}

TEST(frame_cache, keeps_a_little_without_being_looked_at) {
    frame_cache::trim();
    static_cast<void>(detail::trim_request::take());
    use(100, 100);
    EXPECT_FALSE(detail::trim_request::is_given());
    for (int looks = 0; looks < 3; ++looks)
        EXPECT_EQ(frame_cache::trim_some(), detail::trim_rest::little);
    EXPECT_EQ(count_kept(100), 100U);
    use(1000, 100);
    EXPECT_TRUE(detail::trim_request::is_given());
    frame_cache::trim();
}

TEST(frame_cache, notices_each_burst) {
    for (int bursts = 0; bursts < 3; ++bursts) {
        static_cast<void>(detail::trim_request::take());
        const std::vector<void*> blocks = allocate_many(1000, 100);
        detail::trim_rest left{};
        look(left);
        look(left);
        EXPECT_EQ(left, detail::trim_rest::little);
        EXPECT_FALSE(detail::trim_request::is_given()) << "they are in use";
        deallocate_all(blocks, 100);
        EXPECT_TRUE(detail::trim_request::is_given());
    }
    frame_cache::trim();
}

TEST(frame_cache, counts_what_lives_whatever_was_given_back) {
    frame_cache::trim();
    const auto before = frame_cache::live_blocks();
    const std::vector<void*> lasting = allocate_many(700, 100);
    use(3000, 100);
    for (int looks = 0; looks < 20; ++looks) {
        EXPECT_EQ(frame_cache::live_blocks() - before, 700);
        static_cast<void>(frame_cache::trim_some());
        use(static_cast<std::size_t>(looks) * 50, 100);
    }
    deallocate_all(lasting, 100);
    EXPECT_EQ(frame_cache::live_blocks(), before);
    frame_cache::trim();
    EXPECT_EQ(frame_cache::live_blocks(), before);
}

// What is set aside counts as kept.
TEST(frame_cache, never_keeps_more_than_it_may) {
    frame_cache::trim();
    constexpr std::size_t kept_max = (1024 + 1) * 16 * 1024 / 4096;
    for (int times = 0; times < 3; ++times) {
        const std::vector<void*> blocks = allocate_many(2 * kept_max, 4096);
        use(kept_max, 4096);
        static_cast<void>(frame_cache::trim_some());
        deallocate_all(blocks, 4096);
        EXPECT_LE(count_kept(4096), kept_max);
    }
    EXPECT_EQ(count_kept(4096), kept_max);
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
}  // namespace eddy::frame_cache_test
