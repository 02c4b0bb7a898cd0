#include "support/seed.hpp"

#include <eddy/io/buffer_pool.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace eddy::io::buffer_pool_test {
namespace {

/// A pool whose free buffers the test can count.
class counting_pool final : public buffer_pool {
public:
    using buffer_pool::buffer_pool;

    void release(index buffer) noexcept override {
        EXPECT_TRUE(free.insert(buffer).second) << "released twice: " << buffer;
    }
    std::size_t available() const noexcept override { return free.size(); }
    index take() {
        if (free.empty()) {
            const index first = grow();
            if (first == none)
                return none;
            for (index added = first; added < buffers(); ++added)
                free.insert(added);
        }
        const index taken = free.extract(free.begin()).value();
        note_left(free.size());
        return taken;
    }

    std::set<index> free;

private:
    bool withdraw_from(index first) noexcept override {
        const auto behind = free.lower_bound(first);
        if (static_cast<std::size_t>(std::distance(behind, free.end())) != buffers() - first)
            return false;
        free.erase(behind, free.end());
        return true;
    }
};

TEST(buffer_pool, grows_in_chunks_up_to_its_maximum) {
    counting_pool pool(256, 100);
    EXPECT_EQ(pool.buffers(), 0u);
    std::vector<std::byte*> seen;
    for (int at = 0; at < 100; ++at) {
        const auto taken = pool.take();
        ASSERT_NE(taken, buffer_pool::none);
        std::memset(pool.data(taken), at, pool.buffer_size());
        seen.push_back(pool.data(taken));
    }
    EXPECT_EQ(pool.buffers(), 100u);
    EXPECT_EQ(pool.take(), buffer_pool::none);
    // Buffers neither move nor overlap while the pool grows.
    for (int at = 0; at < 100; ++at) {
        EXPECT_EQ(seen[static_cast<std::size_t>(at)][0], static_cast<std::byte>(at));
        EXPECT_EQ(seen[static_cast<std::size_t>(at)][255], static_cast<std::byte>(at));
    }
}

TEST(buffer_pool, never_has_less_than_one_usable_buffer) {
    counting_pool pool(0, 0);
    EXPECT_GE(pool.buffer_size(), 64u);
    EXPECT_NE(pool.take(), buffer_pool::none);
    EXPECT_EQ(pool.take(), buffer_pool::none);
}

TEST(buffer_queue, keeps_buffers_and_their_extent_in_order) {
    auto generator = test::seeded_generator();
    counting_pool pool(64, 64);
    buffer_pool::queue queue;
    struct entry {
        buffer_pool::index buffer;
        std::uint32_t begin;
        std::uint32_t end;
    };
    std::deque<entry> model;
    for (int step = 0; step < 50'000; ++step) {
        const int action = test::between(generator, 0, 2);
        if (action == 2 && !model.empty()) {
            const auto taken = queue.pop_front(pool);
            ASSERT_EQ(taken.buffer, model.front().buffer);
            ASSERT_EQ(taken.begin, model.front().begin);
            ASSERT_EQ(taken.end, model.front().end);
            model.pop_front();
            pool.release(taken.buffer);
        } else if (const auto buffer = pool.take(); buffer != buffer_pool::none) {
            const auto begin = test::between<std::uint32_t>(generator, 0, 63);
            const entry added{buffer, begin, begin + 1};
            if (action == 0) {
                queue.push_back(pool, added.buffer, added.begin, added.end);
                model.push_back(added);
            } else {
                queue.push_front(pool, added.buffer, added.begin, added.end);
                model.push_front(added);
            }
        }
        ASSERT_EQ(queue.size(), model.size());
        ASSERT_EQ(queue.empty(), model.empty());
    }
}

TEST(buffer_lease, gives_its_buffer_back_when_dropped) {
    counting_pool pool(64, 2);
    const auto taken = pool.take();
    {
        const buffer_lease lease(pool, {taken, 10, 20});
        EXPECT_EQ(lease.size(), 10u);
        EXPECT_EQ(lease.bytes().data(), pool.data(taken) + 10);
        EXPECT_FALSE(pool.free.contains(taken));
    }
    EXPECT_TRUE(pool.free.contains(taken));
}

TEST(buffer_lease, moves_with_its_buffer) {
    counting_pool pool(64, 2);
    const auto first = pool.take();
    const auto second = pool.take();
    {
        buffer_lease held(pool, {first, 0, 1});
        buffer_lease other(pool, {second, 0, 2});
        held = std::move(other);
        EXPECT_TRUE(pool.free.contains(first));
        EXPECT_EQ(held.size(), 2u);
        EXPECT_TRUE(other.empty());  // NOLINT: what a moved-from lease holds is part of its contract
        buffer_lease moved(std::move(held));
        EXPECT_EQ(moved.size(), 2u);
        buffer_lease& itself = moved;
        moved = std::move(itself);
        EXPECT_EQ(moved.size(), 2u);
        EXPECT_FALSE(pool.free.contains(second));
    }
    EXPECT_TRUE(pool.free.contains(second));
}

TEST(buffer_lease, leaves_out_a_prefix) {
    counting_pool pool(64, 1);
    const auto taken = pool.take();
    buffer_lease lease(pool, {taken, 5, 15});
    lease.remove_prefix(4);
    EXPECT_EQ(lease.size(), 6u);
    EXPECT_EQ(lease.bytes().data(), pool.data(taken) + 9);
    lease.remove_prefix(6);
    EXPECT_TRUE(lease.empty());
}

TEST(buffer_lease, may_own_memory_of_its_own) {
    auto memory = std::make_unique<std::byte[]>(4);
    memory[1] = std::byte{7};
    buffer_lease lease(std::move(memory), 1, 4);
    EXPECT_EQ(lease.size(), 3u);
    EXPECT_EQ(lease.bytes()[0], std::byte{7});
    buffer_lease moved = std::move(lease);
    EXPECT_EQ(moved.bytes()[0], std::byte{7});
}

TEST(buffer_lease, of_nothing_is_empty) {
    const buffer_lease lease;
    EXPECT_TRUE(lease.empty());
    EXPECT_EQ(lease.bytes().size(), 0u);
}

/// Takes so many at once and gives them back.
void use(counting_pool& pool, std::size_t count) {
    std::vector<buffer_pool::index> taken;
    for (std::size_t at = 0; at < count; ++at)
        taken.push_back(pool.take());
    for (const auto buffer : taken)
        pool.release(buffer);
}

TEST(buffer_pool, gives_back_by_and_by_what_nobody_needs) {
    counting_pool pool(64, 4096);
    use(pool, 1000);
    EXPECT_EQ(pool.buffers(), 1024U);
    EXPECT_EQ(pool.trim_some(), detail::trim_rest::some);
    EXPECT_EQ(pool.buffers(), 1024U) << "they were needed just now";
    int looks = 0;
    while (pool.trim_some() == detail::trim_rest::some)
        ++looks;
    EXPECT_GT(looks, 5) << "a few at a time";
    EXPECT_EQ(pool.buffers(), 64U);
    EXPECT_EQ(pool.available(), 64U);
    use(pool, 1000);
    EXPECT_EQ(pool.buffers(), 1024U);
}

TEST(buffer_pool, keeps_what_is_needed_all_the_time) {
    counting_pool pool(64, 4096);
    for (int looks = 0; looks < 20; ++looks) {
        use(pool, 300);
        EXPECT_EQ(pool.trim_some(), detail::trim_rest::some);
        EXPECT_EQ(pool.buffers(), 320U);
    }
}

TEST(buffer_pool, keeps_what_somebody_reads) {
    counting_pool pool(64, 4096);
    use(pool, 128);
    pool.free.erase(100);  // somebody has it
    for (int looks = 0; looks < 5; ++looks)
        EXPECT_EQ(pool.trim_some(), detail::trim_rest::some);
    EXPECT_EQ(pool.buffers(), 128U);
}

TEST(buffer_pool, keeps_its_first_buffers) {
    counting_pool pool(64, 4096);
    use(pool, 1);
    for (int looks = 0; looks < 5; ++looks)
        EXPECT_EQ(pool.trim_some(), detail::trim_rest::little);
    EXPECT_EQ(pool.buffers(), 64U);
}

TEST(buffer_pool, says_that_it_has_grown) {
    static_cast<void>(detail::trim_request::take());
    counting_pool pool(64, 4096);
    use(pool, 64);
    EXPECT_FALSE(detail::trim_request::is_given());
    use(pool, 65);
    EXPECT_TRUE(detail::trim_request::take());
}

}  // namespace
}  // namespace eddy::io::buffer_pool_test
