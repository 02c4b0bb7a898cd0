#include "support/test.hpp"
#include "support/todo.hpp"
#include "timer_heap.hpp"
#include "timer_wheel.hpp"
#include "timers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using namespace std::chrono_literals;
using namespace course;

// ---- Steps 4 and 7: the same tests for both queues of timers

const lab::time_point start{1h};

template <class Queue>
std::vector<int> names_of_due(Queue& queue, std::deque<lab::timer>& timers, lab::time_point now) {
    std::vector<int> names;
    while (lab::timer* due = queue.pop_due(now))
        for (std::size_t at = 0; at < timers.size(); ++at)
            if (&timers[at] == due)
                names.push_back(static_cast<int>(at));
    return names;
}

template <class Queue>
void earliest_first(const char* anchor) {
    Queue queue(start);
    std::deque<lab::timer> timers(4);
    const int deadlines[] = {30, 10, 40, 20};
    for (std::size_t at = 0; at < timers.size(); ++at) {
        timers[at].at = start + deadlines[at] * 1ms;
        queue.add(timers[at]);
    }
    EXPECT_EQ(names_of_due(queue, timers, start + 9ms), std::vector<int>())
        << why("a timer is due before its time", anchor);
    EXPECT_EQ(names_of_due(queue, timers, start + 10ms), std::vector<int>{1})
        << why("a timer is due at its time, and not only after it", anchor);
    EXPECT_EQ(names_of_due(queue, timers, start + 35ms), (std::vector<int>{3, 0}))
        << why("of several timers that are due the earliest is first", anchor);
    EXPECT_EQ(names_of_due(queue, timers, start + 1h), std::vector<int>{2});
    EXPECT_TRUE(queue.empty());
}

template <class Queue>
void equal_times_keep_their_order(const char* anchor) {
    Queue queue(start);
    std::deque<lab::timer> timers(100);
    std::vector<int> expected;
    for (std::size_t at = 0; at < timers.size(); ++at) {
        timers[at].at = start + 100ms;
        queue.add(timers[at]);
        expected.push_back(static_cast<int>(at));
    }
    EXPECT_EQ(names_of_due(queue, timers, start + 100ms), expected)
        << why("timers of the same time fire in the order in which they were added, which a heap does not "
               "keep by itself: compare their numbers, too",
               anchor);
}

template <class Queue>
void any_timer_is_removed(const char* anchor) {
    Queue queue(start);
    std::deque<lab::timer> timers(200);
    std::mt19937 random(7);
    std::vector<std::pair<lab::time_point, int>> left;
    for (std::size_t at = 0; at < timers.size(); ++at) {
        timers[at].at = start + static_cast<int>(random() % 100'000) * 1ms;
        queue.add(timers[at]);
    }
    for (std::size_t at = 0; at < timers.size(); ++at)
        if (random() % 2 == 0)
            queue.remove(timers[at]);
        else
            left.emplace_back(timers[at].at, static_cast<int>(at));
    queue.remove(timers[0]);
    std::erase_if(left, [](auto& each) { return each.second == 0; });
    std::sort(left.begin(), left.end());
    std::vector<int> expected;
    for (const auto& [at, name] : left)
        expected.push_back(name);
    EXPECT_EQ(names_of_due(queue, timers, start + 1h), expected)
        << why("after timers were removed the order is wrong: what fills the hole may have to rise as well "
               "as to sink",
               anchor);
    EXPECT_TRUE(queue.empty());
    EXPECT_FALSE(queue.next().has_value());
}

// Adds, removes and lets fire at random, beside a sorted list.
template <class Queue>
void random_timers(const char* anchor) {
    Queue queue(start);
    std::mt19937_64 random(11);
    std::deque<lab::timer> timers(300);
    std::vector<std::size_t> set;
    lab::time_point now = start;
    for (int step = 0; step < 20'000; ++step) {
        const std::size_t which = random() % timers.size();
        const auto found = std::find(set.begin(), set.end(), which);
        if (found == set.end()) {
            // Of all lengths, from milliseconds to years.
            timers[which].at = now + static_cast<std::int64_t>(random() >> (25 + random() % 39)) * 1ms;
            queue.add(timers[which]);
            set.push_back(which);
        } else if (random() % 2 == 0) {
            queue.remove(timers[which]);
            set.erase(found);
        }
        if (random() % 4 != 0)
            continue;
        now += static_cast<std::int64_t>(random() >> (32 + random() % 32)) * 1ms;
        lab::time_point last = start;
        while (lab::timer* due = queue.pop_due(now)) {
            ASSERT_LE(due->at, now) << why("a timer is due before its time", anchor);
            ASSERT_GE(due->at, last) << why("of several timers that are due the earliest is first", anchor);
            last = due->at;
            const auto fired =
                std::find(set.begin(), set.end(),
                          static_cast<std::size_t>(std::find_if(timers.begin(), timers.end(),
                                                                [&](auto& each) { return &each == due; }) -
                                                   timers.begin()));
            ASSERT_NE(fired, set.end()) << why("a timer fired that was not set", anchor);
            set.erase(fired);
        }
        lab::time_point earliest = lab::time_point::max();
        for (const std::size_t each : set)
            earliest = std::min(earliest, timers[each].at);
        ASSERT_GT(earliest, now) << why("a timer that is due did not fire", anchor);
        ASSERT_EQ(queue.empty(), set.empty());
        ASSERT_EQ(queue.next().has_value(), !set.empty());
        if (!set.empty()) {
            ASSERT_LE(*queue.next(), earliest)
                << why("next() is too late: the loop would sleep past a timer", anchor);
            ASSERT_GT(*queue.next(), now)
                << why("next() is in the past although nothing is due: the loop would spin", anchor);
        }
    }
}

constexpr const char* heap_anchor = "step-4-a-heap-of-timers";

TEST(step4, the_earliest_timer_is_due_first) {
    earliest_first<lab::timer_heap>(heap_anchor);
}
TEST(step4, timers_of_the_same_time_keep_their_order) {
    equal_times_keep_their_order<lab::timer_heap>(heap_anchor);
}
TEST(step4, any_timer_can_be_removed) {
    any_timer_is_removed<lab::timer_heap>(heap_anchor);
}
TEST(step4, random_timers_fire_as_in_a_sorted_list) {
    random_timers<lab::timer_heap>(heap_anchor);
}

// ---- Step 7

constexpr const char* wheel_anchor = "step-7-a-wheel-of-timers";

TEST(step7, the_earliest_timer_is_due_first) {
    earliest_first<lab::timer_wheel>(wheel_anchor);
}
TEST(step7, timers_of_the_same_time_keep_their_order) {
    equal_times_keep_their_order<lab::timer_wheel>(wheel_anchor);
}
TEST(step7, any_timer_can_be_removed) {
    any_timer_is_removed<lab::timer_wheel>(wheel_anchor);
}
TEST(step7, random_timers_fire_as_in_a_sorted_list) {
    random_timers<lab::timer_wheel>(wheel_anchor);
}

TEST(step7, no_timer_fires_before_its_time) {
    lab::timer_wheel wheel(start);
    lab::timer one;
    one.at = start + 10ms + 1us;
    wheel.add(one);
    EXPECT_EQ(wheel.pop_due(start + 10ms), nullptr)
        << why("the tick of a timer is rounded down: round it up", wheel_anchor);
    EXPECT_EQ(wheel.pop_due(start + 11ms), &one);
}

TEST(step7, the_end_of_the_clock_is_a_time_as_well) {
    lab::timer_wheel wheel(start);
    lab::timer last;
    last.at = lab::time_point::max();
    wheel.add(last);
    lab::timer* fired = nullptr;
    // Each look but the last moves it to a finer wheel.
    for (int looks = 0; looks < 12 && fired == nullptr; ++looks)
        fired = wheel.pop_due(*wheel.next());
    EXPECT_EQ(fired, &last) << why("at the time that next() tells nothing is due: the loop would spin",
                                   wheel_anchor);
}

TEST(step7, the_loop_uses_it) {
    if (!std::is_same_v<lab::timer_queue, lab::timer_wheel>)
        todo("step 7: timer_queue in timers.hpp");
}

}  // namespace
