#include "backend/epoll/listed_buffers.hpp"

#include <eddy/detail/cached_memory.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace eddy::backends::listed_buffers_test {
namespace {

constexpr std::size_t bytes = 16'384;

/// Fills so many at once and gives them back, the first one last.
void use(listed_buffers& pool, std::size_t count) {
    std::vector<io::buffer_pool::index> taken;
    for (; count > 0; --count)
        std::memset(pool.data(taken.emplace_back(pool.take())), 1, bytes);
    for (; !taken.empty(); taken.pop_back())
        pool.release(taken.back());
}

/// Memory that the system has taken back is zero.
std::size_t count_filled(const listed_buffers& pool) {
    std::size_t filled = 0;
    for (io::buffer_pool::index at = 0; at < pool.buffers(); ++at)
        filled += std::all_of(pool.data(at), pool.data(at) + bytes,
                              [](std::byte each) { return each == std::byte{1}; })
                      ? 1
                      : 0;
    return filled;
}

TEST(listed_buffers, have_no_memory_while_nobody_needs_them) {
    listed_buffers pool(bytes, 64);
    use(pool, 40);
    EXPECT_EQ(pool.trim_some(), detail::trim_rest::little);
    EXPECT_EQ(count_filled(pool), 40U) << "they were needed just now";
    use(pool, 5);
    EXPECT_EQ(pool.trim_some(), detail::trim_rest::little);
    EXPECT_EQ(count_filled(pool), 5U);
    EXPECT_EQ(pool.trim_some(), detail::trim_rest::little);
    EXPECT_EQ(count_filled(pool), 0U);
    use(pool, 64);
    EXPECT_EQ(count_filled(pool), 64U);
}

TEST(listed_buffers, keep_their_memory_where_several_lie_in_a_page) {
    listed_buffers pool(bytes, 64, 4 * bytes);
    use(pool, 40);
    const std::size_t filled = count_filled(pool);  // of the others, too, where the memory was used before
    EXPECT_GE(filled, 40U);
    for (int looks = 0; looks < 3; ++looks)
        static_cast<void>(pool.trim_some());
    EXPECT_EQ(count_filled(pool), filled) << "giving one back would wipe its neighbours";
}

TEST(listed_buffers, are_given_back_where_one_is_several_pages_long) {
    constexpr std::size_t page_bytes = 2 * 4096;
    listed_buffers pool(bytes, 64, page_bytes);
    use(pool, 40);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pool.data(0)) % page_bytes, 0U);
    for (int looks = 0; looks < 3; ++looks)
        static_cast<void>(pool.trim_some());
    EXPECT_EQ(count_filled(pool), 0U);
}

TEST(listed_buffers, say_when_more_of_them_have_memory) {
    listed_buffers pool(bytes, 64);
    use(pool, 5);
    for (int looks = 0; looks < 2; ++looks)
        static_cast<void>(pool.trim_some());
    static_cast<void>(detail::trim_request::take());
    use(pool, 1);
    EXPECT_TRUE(detail::trim_request::take());
    use(pool, 1);
    EXPECT_FALSE(detail::trim_request::is_given()) << "no more than before";
}

}  // namespace
}  // namespace eddy::backends::listed_buffers_test
