#include "support/seed.hpp"

#include <eddy/runtime/detail/timer_wheel.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace eddy::detail::timer_wheel_test {
namespace {

using namespace std::chrono_literals;

// How wide a slot of the wheel's lowest level is.
constexpr duration tick{1 << 12};

/// Notes the order in which timers fire, and that none is early.
struct recorder {
    time_point now{};
    std::vector<int> fired;
};

struct noting_timer : timer {
    noting_timer(recorder& to, int id) : timer(&on_fired), where(to), number(id) {}
    static void on_fired(timer& ended) noexcept {
        auto& self = static_cast<noting_timer&>(ended);
        EXPECT_LE(self.deadline(), self.where.now) << "early";
        EXPECT_FALSE(self.is_armed());
        self.where.fired.push_back(self.number);
    }
    recorder& where;
    int number;
};

/// A wheel with a time of its own.
struct world {
    explicit world(time_point start = time_point(1000h)) : wheel(start) { events.now = start; }
    std::size_t advance_to(time_point to) {
        events.now = to;
        return wheel.advance(to);
    }
    std::size_t advance_by(duration by) { return advance_to(events.now + by); }
    /// Jumps from one point at which the wheel wants attention to the next, as a worker does.
    void follow_until(time_point end) {
        while (const auto due = wheel.next_due()) {
            if (*due > end)
                break;
            advance_to(std::max(*due, events.now));
        }
        advance_to(end);
    }

    recorder events;
    timer_wheel wheel;
};

TEST(timer_wheel, without_timers_is_never_due) {
    world at;
    EXPECT_EQ(at.wheel.next_due(), std::nullopt);
    EXPECT_EQ(at.advance_by(1h), 0u);
}

TEST(timer_wheel, fires_a_timer_at_its_deadline_and_not_before) {
    for (const duration length :
         {duration(1), tick - 1ns, tick, tick + 1ns, 1ms + 0ns, 64 * tick, 1s + 0ns}) {
        world at;
        noting_timer armed(at.events, 1);
        const auto deadline = at.events.now + length;
        at.wheel.arm(armed, deadline);
        EXPECT_TRUE(armed.is_armed());
        at.advance_to(deadline - 1ns);
        EXPECT_TRUE(at.events.fired.empty()) << length.count();
        EXPECT_EQ(at.wheel.next_due(), deadline);
        at.advance_to(deadline);
        EXPECT_EQ(at.events.fired, std::vector{1}) << length.count();
    }
}

TEST(timer_wheel, fires_a_deadline_that_has_passed_at_the_next_advance) {
    world at;
    noting_timer past(at.events, 1), now(at.events, 2), ancient(at.events, 3);
    at.wheel.arm(past, at.events.now - 1h);
    at.wheel.arm(ancient, time_point::min());
    EXPECT_LE(at.wheel.next_due(), at.events.now);
    EXPECT_GE(at.wheel.next_due(), at.events.now - tick) << "it is subtracted from";
    EXPECT_EQ(at.advance_by(0ns), 2u);
    at.wheel.arm(now, at.events.now);
    at.advance_by(tick);
    EXPECT_EQ(at.events.fired, (std::vector{3, 1, 2}));
}

TEST(timer_wheel, fires_in_the_order_of_deadlines) {
    world at;
    std::vector<std::unique_ptr<noting_timer>> timers;
    for (const int length : {50, 10, 3000, 20, 700000, 1}) {
        timers.push_back(std::make_unique<noting_timer>(at.events, length));
        at.wheel.arm(*timers.back(), at.events.now + length * 1ms);
    }
    at.advance_by(1h);
    EXPECT_EQ(at.events.fired, (std::vector{1, 10, 20, 50, 3000, 700000}));
}

TEST(timer_wheel, fires_in_the_order_of_deadlines_within_one_slot) {
    auto generator = test::seeded_generator();
    world at;
    std::vector<std::unique_ptr<noting_timer>> timers;
    std::multimap<duration, int> expected;  // equal ones in the order of arming
    for (int number = 0; number < 1000; ++number) {
        const duration length(test::between<std::int64_t>(generator, 1, tick.count()));
        timers.push_back(std::make_unique<noting_timer>(at.events, number));
        at.wheel.arm(*timers.back(), at.events.now + length);
        expected.emplace(length, number);
    }
    EXPECT_EQ(at.advance_by(2 * tick), 1000u);
    std::vector<int> order;
    for (const auto& [length, number] : expected)
        order.push_back(number);
    EXPECT_EQ(at.events.fired, order);
}

// -- for a time from now on --

TEST(timer_wheel, starts_what_was_armed_for_a_time_from_now_on) {
    world at;
    noting_timer sooner(at.events, 1), later(at.events, 2), at_once(at.events, 3);
    EXPECT_FALSE(at.wheel.has_unstarted());
    at.wheel.arm_after(later, 2s);
    at.wheel.arm_after(sooner, 1s);
    at.wheel.arm_after(at_once, 0s);
    EXPECT_TRUE(sooner.is_armed());
    EXPECT_TRUE(at.wheel.has_unstarted());
    EXPECT_EQ(at.wheel.next_due(), std::nullopt) << "it has no deadline yet";
    EXPECT_EQ(at.advance_by(1h), 0u);
    at.wheel.start(at.events.now);
    EXPECT_FALSE(at.wheel.has_unstarted());
    EXPECT_EQ(at.wheel.count_armed(), 3u);
    EXPECT_EQ(sooner.deadline(), at.events.now + 1s);
    at.advance_by(1s - 1ns);
    EXPECT_EQ(at.events.fired, std::vector{3});
    at.advance_by(1h);
    EXPECT_EQ(at.events.fired, (std::vector{3, 1, 2}));
}

TEST(timer_wheel, forgets_what_was_disarmed_before_it_started) {
    world at;
    noting_timer disarmed(at.events, 1), endless(at.events, 2);
    at.wheel.arm_after(disarmed, 1s);
    at.wheel.arm_after(endless, duration::max());
    EXPECT_EQ(at.wheel.count_armed(), 2u);
    at.wheel.disarm(disarmed);
    EXPECT_FALSE(disarmed.is_armed());
    at.wheel.start(at.events.now);
    EXPECT_EQ(endless.deadline(), time_point::max());
    EXPECT_EQ(at.advance_by(1h), 0u);
}

// -- crowds --

struct crowd {
    /// `count` timers, due at random between two times from now.
    crowd(world& where, int count, duration from, duration to) {
        auto generator = test::seeded_generator();
        for (int number = 0; number < count; ++number) {
            timers.push_back(std::make_unique<noting_timer>(where.events, number));
            const duration length(test::between<std::int64_t>(generator, from.count(), to.count()));
            where.wheel.arm(*timers.back(), where.events.now + length);
        }
    }
    [[nodiscard]] time_point deadline(int number) const {
        return timers[static_cast<std::size_t>(number)]->deadline();
    }
    std::vector<std::unique_ptr<noting_timer>> timers;
};

void expect_in_order(const world& at, const crowd& fired, std::size_t count) {
    ASSERT_EQ(at.events.fired.size(), count);
    for (std::size_t next = 1; next < count; ++next)
        ASSERT_LE(fired.deadline(at.events.fired[next - 1]), fired.deadline(at.events.fired[next]));
}

TEST(timer_wheel, spreads_a_crowd_ahead_of_its_time_and_a_few_at_once) {
    world at;
    constexpr int count = 20'000;
    const crowd far(at, count, 100s, 160s);
    int calls_before_the_first = 0;
    for (; at.events.fired.empty(); ++calls_before_the_first)
        at.advance_to(std::max(*at.wheel.next_due(), at.events.now));
    EXPECT_GE(calls_before_the_first, count / 2 / 32) << "most are in one slot";
    EXPECT_EQ(at.wheel.count_armed() + at.events.fired.size(), static_cast<std::size_t>(count));
    at.follow_until(at.events.now + 61s);
    expect_in_order(at, far, count);
}

TEST(timer_wheel, wants_no_more_attention_for_a_crowd_that_was_disarmed) {
    world at;
    crowd far(at, 20'000, 100s, 160s);
    while (at.events.fired.empty())
        at.advance_to(std::max(*at.wheel.next_due(), at.events.now));
    far.timers.clear();
    EXPECT_EQ(at.wheel.count_armed(), 0u);
    int calls = 0;
    for (; at.wheel.next_due(); ++calls)
        at.advance_to(std::max(*at.wheel.next_due(), at.events.now));
    EXPECT_LE(calls, 500) << "one for each slot that may be occupied";
}

TEST(timer_wheel, fires_a_crowd_also_after_a_long_leap) {
    for (const duration until : {99s, 101s, 130s, 3600s}) {
        world at;
        const crowd far(at, 5000, 100s, 160s);
        at.follow_until(at.events.now + 60s);  // with the first ones spread, or none
        at.advance_by(until - 60s);
        at.follow_until(at.events.now + 3600s);
        expect_in_order(at, far, 5000);
    }
}

TEST(timer_wheel, cascades_at_every_edge_of_every_level) {
    // Deadlines around each power of two of ticks, from starts around such edges.
    for (int start_bit = 0; start_bit <= 40; start_bit += 5) {
        for (int bit = 0; bit <= 40; ++bit) {
            for (const std::int64_t off : {-1, 0, 1}) {
                const auto start_tick = (std::int64_t{1} << start_bit) + off;
                world at(time_point(start_tick * tick));
                const auto deadline = at.events.now + ((std::int64_t{1} << bit) + off) * tick;
                if (deadline == at.events.now)
                    continue;
                noting_timer armed(at.events, 1);
                at.wheel.arm(armed, deadline);
                at.follow_until(deadline - 1ns);
                ASSERT_TRUE(at.events.fired.empty()) << start_bit << ' ' << bit << ' ' << off;
                at.follow_until(deadline);
                ASSERT_EQ(at.events.fired.size(), 1u) << start_bit << ' ' << bit << ' ' << off;
            }
        }
    }
}

TEST(timer_wheel, disarms_what_is_destroyed) {
    world at;
    {
        noting_timer dropped(at.events, 1);
        at.wheel.arm(dropped, at.events.now + 1s);
    }
    EXPECT_EQ(at.advance_by(1h), 0u);
    EXPECT_EQ(at.wheel.next_due(), std::nullopt);
}

TEST(timer_wheel, disarms_and_arms_again) {
    world at;
    noting_timer armed(at.events, 1);
    at.wheel.arm(armed, at.events.now + 1s);
    at.wheel.disarm(armed);
    at.wheel.disarm(armed);
    EXPECT_FALSE(armed.is_armed());
    at.wheel.arm(armed, at.events.now + 2s);
    EXPECT_EQ(at.advance_by(1s + tick), 0u);
    EXPECT_EQ(at.advance_by(1s), 1u);
}

TEST(timer_wheel, keeps_deadlines_of_centuries) {
    world at;
    noting_timer far(at.events, 1), soon(at.events, 2);
    at.wheel.arm(far, at.events.now + std::chrono::years(200));
    at.wheel.arm(soon, at.events.now + 1s);
    at.follow_until(at.events.now + std::chrono::years(200) - 1s);
    EXPECT_EQ(at.events.fired, std::vector{2});
    at.follow_until(at.events.now + 2s);
    EXPECT_EQ(at.events.fired, (std::vector{2, 1}));
}

TEST(timer_wheel, is_not_due_for_a_deadline_at_the_end_of_time) {
    for (const duration before_the_end : {duration(0), duration(1), tick, 64 * tick, 1h + 0ns}) {
        world at;
        noting_timer never(at.events, 1);
        at.wheel.arm(never, time_point::max() - before_the_end);
        const auto due = at.wheel.next_due();
        ASSERT_TRUE(due.has_value());
        EXPECT_GT(*due, at.events.now);
        at.follow_until(at.events.now + std::chrono::years(100));
        EXPECT_TRUE(at.events.fired.empty());
    }
}

TEST(timer_wheel, wants_attention_rarely_for_a_far_deadline) {
    world at;
    noting_timer armed(at.events, 1);
    const auto deadline = at.events.now + 1h;
    at.wheel.arm(armed, deadline);
    int times = 0;
    while (const auto due = at.wheel.next_due()) {
        ASSERT_LE(*due, deadline);
        at.advance_to(*due);
        ++times;
    }
    EXPECT_EQ(times, 1);
    EXPECT_EQ(at.events.fired.size(), 1u);
}

// -- against a model --

struct model_timer {
    model_timer(recorder& to, int id) : armed(to, id) {}
    noting_timer armed;
    std::multimap<time_point, int>::iterator place;
    bool is_in_model = false;
};

/// Random calls on `count` timers, with lengths of so many random bits and leaps that are shorter.
void compare_with_model(int count, int bits_min, int bits_max, int leap_divisor, int steps) {
    auto generator = test::seeded_generator();
    world at;
    std::vector<std::unique_ptr<model_timer>> timers;
    for (int number = 0; number < count; ++number)
        timers.push_back(std::make_unique<model_timer>(at.events, number));
    std::multimap<time_point, int> model;

    const auto random_length = [&] {
        const int bits = test::between(generator, bits_min, bits_max);
        return duration(test::between<std::int64_t>(generator, 0, std::int64_t{1} << bits));
    };
    for (int step = 0; step < steps; ++step) {
        auto& chosen = *timers[test::between<std::size_t>(generator, 0, count - 1)];
        const int action = test::between(generator, 0, 9);
        if (action < 6 && !chosen.armed.is_armed()) {
            const auto deadline = at.events.now + random_length();
            at.wheel.arm(chosen.armed, deadline);
            chosen.place = model.emplace(deadline, chosen.armed.number);
        } else if (action < 8 && chosen.armed.is_armed()) {
            at.wheel.disarm(chosen.armed);
            model.erase(chosen.place);
        } else if (action >= 8) {
            if (!model.empty()) {
                ASSERT_LE(*at.wheel.next_due(), model.begin()->first);
            }
            at.events.fired.clear();
            // By leaps of any size, or exactly to where the wheel wants attention.
            const auto due = at.wheel.next_due();
            at.advance_to(action == 9 && due ? std::max(*due, at.events.now)
                                             : at.events.now + random_length() / leap_divisor);
            time_point last{};
            for (const int fired : at.events.fired) {
                auto& ended = *timers[static_cast<std::size_t>(fired)];
                ASSERT_GE(ended.armed.deadline(), last) << "out of order";
                last = ended.armed.deadline();
                model.erase(ended.place);
            }
            if (!model.empty()) {
                ASSERT_GT(model.begin()->first, at.events.now) << "a timer is late";
            }
        }
    }
}

TEST(timer_wheel, behaves_as_a_sorted_list_does) {
    compare_with_model(500, 0, 45, 16, 100'000);
}

TEST(timer_wheel, behaves_as_a_sorted_list_does_with_crowds) {
    compare_with_model(20'000, 24, 33, 65'536, 400'000);
}

TEST(timer_wheel, fires_a_hundred_thousand_random_deadlines) {
    auto generator = test::seeded_generator();
    world at;
    const auto start = at.events.now;
    constexpr int count = 100'000;
    std::vector<std::unique_ptr<noting_timer>> timers;
    for (int number = 0; number < count; ++number) {
        timers.push_back(std::make_unique<noting_timer>(at.events, number));
        at.wheel.arm(*timers.back(),
                     start + duration(test::between<std::int64_t>(generator, 0, 3'600'000'000'000)));
    }
    at.follow_until(start + 1h + tick);
    ASSERT_EQ(at.events.fired.size(), static_cast<std::size_t>(count));
    for (std::size_t next = 1; next < at.events.fired.size(); ++next) {
        const auto& earlier = *timers[static_cast<std::size_t>(at.events.fired[next - 1])];
        const auto& later = *timers[static_cast<std::size_t>(at.events.fired[next])];
        ASSERT_GE(later.deadline(), earlier.deadline());
    }
}

}  // namespace
}  // namespace eddy::detail::timer_wheel_test
