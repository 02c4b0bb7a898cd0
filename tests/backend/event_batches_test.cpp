#include "backend/epoll/event_batches.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <sys/epoll.h>
#include <vector>

namespace eddy::backends::event_batches_test {
namespace {

using events = std::array<epoll_event, 11>;

events numbered() {
    events made{};
    for (std::uint64_t number = 0; epoll_event& each : made)
        each.data.u64 = number++;
    return made;
}

std::vector<std::uint64_t> numbers_of(std::span<const epoll_event> portion) {
    std::vector<std::uint64_t> found;
    for (const epoll_event& each : portion)
        found.push_back(std::uint64_t(each.data.u64));  // the system packs events
    return found;
}

TEST(event_batches, give_one_event_and_twice_as_many_each_time) {
    events all = numbered();
    detail::shuffler in_order(0);
    event_batches portions;
    EXPECT_TRUE(portions.empty());
    for (int round = 0; round < 2; ++round) {
        portions.begin(all, in_order);
        EXPECT_EQ(numbers_of(portions.next()), (std::vector<std::uint64_t>{0}));
        EXPECT_EQ(numbers_of(portions.next()), (std::vector<std::uint64_t>{1, 2}));
        EXPECT_EQ(numbers_of(portions.next()), (std::vector<std::uint64_t>{3, 4, 5, 6}));
        EXPECT_FALSE(portions.empty());
        EXPECT_EQ(numbers_of(portions.next()), (std::vector<std::uint64_t>{7, 8, 9, 10}));
        EXPECT_TRUE(portions.empty());
    }
}

TEST(event_batches, give_none_once_they_are_dropped) {
    events all = numbered();
    detail::shuffler in_order(0);
    event_batches portions;
    portions.begin(all, in_order);
    EXPECT_EQ(portions.next().size(), 1U);
    portions.drop();
    EXPECT_TRUE(portions.empty());
    EXPECT_TRUE(portions.next().empty());
}

TEST(event_batches, give_each_event_once_in_any_order_if_that_is_wanted) {
    bool is_in_order = true;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        events all = numbered();
        detail::shuffler shuffled(seed);
        event_batches portions;
        portions.begin(all, shuffled);
        std::vector<std::uint64_t> given;
        while (!portions.empty())
            for (const std::uint64_t each : numbers_of(portions.next()))
                given.push_back(each);
        is_in_order = is_in_order && std::ranges::is_sorted(given);
        std::ranges::sort(given);
        const events wanted = numbered();
        EXPECT_EQ(given, numbers_of(wanted));
    }
    EXPECT_FALSE(is_in_order);
}

}  // namespace
}  // namespace eddy::backends::event_batches_test
