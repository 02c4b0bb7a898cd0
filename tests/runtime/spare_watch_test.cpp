#include "support/time_bound.hpp"

#include <eddy/core/yield.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/spare_watch.hpp>
#include <eddy/runtime/worker.hpp>
#include <eddy/sync/event.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <thread>

namespace eddy {
namespace {

using detail::spare_left;
using detail::spare_notice;
using detail::spare_watch;
using namespace std::chrono_literals;

class keeper final : public detail::spare_keeper {
public:
    [[nodiscard]] spare_left give_back_some() noexcept override {
        ++looks;
        return left;
    }

    int looks = 0;
    spare_left left = spare_left::little;
};

constexpr time_point start{1h};

TEST(spare_watch, is_needed_once_somebody_has_given_notice) {
    static_cast<void>(spare_notice::take());
    EXPECT_FALSE(spare_watch::is_needed());
    spare_notice::give();
    EXPECT_TRUE(spare_watch::is_needed());
}

TEST(spare_watch, looks_at_all_until_only_a_little_is_left) {
    spare_watch watch;
    keeper first;
    keeper second;
    watch.add(first);
    watch.add(second);
    spare_notice::give();
    second.left = spare_left::some;
    watch.look_if_due(start);
    EXPECT_EQ(first.looks, 1);
    EXPECT_EQ(second.looks, 1);
    EXPECT_TRUE(spare_watch::is_needed());
    EXPECT_EQ(watch.next_look(), start + spare_watch::interval);
    watch.look_if_due(start + spare_watch::interval - 1ns);
    EXPECT_EQ(second.looks, 1) << "it is not time yet";
    second.left = spare_left::little;
    watch.look_if_due(start + spare_watch::interval);
    EXPECT_EQ(second.looks, 2);
    EXPECT_FALSE(spare_watch::is_needed());
}

TEST(spare_watch, goes_on_at_once_where_much_is_left) {
    spare_watch watch;
    keeper large;
    watch.add(large);
    spare_notice::give();
    large.left = spare_left::much;
    watch.look_if_due(start);
    EXPECT_EQ(watch.next_look(), start);
    watch.look_if_due(start);
    EXPECT_EQ(large.looks, 2);
    static_cast<void>(spare_notice::take());
}

TEST(spare_watch, forgets_a_keeper_that_has_gone) {
    spare_watch watch;
    keeper stays;
    {
        keeper goes;
        watch.add(goes);
        watch.add(stays);
    }
    watch.look_if_due(start);
    EXPECT_EQ(stays.looks, 1);
}

/// Has much at first, and then nothing any more.
class burst_left final : public detail::spare_keeper {
public:
    [[nodiscard]] spare_left give_back_some() noexcept override {
        if (++looks_ < 10)
            return spare_left::much;
        if (looks_ == 10)
            gone.set_value();
        return spare_left::little;
    }

    std::promise<void> gone;

private:
    int looks_ = 0;
};

TEST(spare_watch, has_an_idle_worker_look) {
    const test::time_bound bound;
    runtime driven(runtime_options().workers(1));
    event<> over;
    burst_left left;
    std::thread outside([&] {
        left.gone.get_future().wait();
        over.set();
    });
    driven.run([](event<>& waited, burst_left& spare) -> task<> {
        worker::current().spare().add(spare);
        spare_notice::give();
        co_await waited.wait();  // and nothing else happens
    }(over, left));
    outside.join();
}

TEST(spare_watch, lets_a_worker_sleep_until_the_next_look_and_then_for_as_long_as_it_likes) {
    const test::time_bound bound;
    runtime driven(runtime_options().workers(1));
    driven.run([]() -> task<> {
        worker& here = worker::current();
        keeper spare;
        here.spare().add(spare);
        static_cast<void>(spare_notice::take());
        EXPECT_EQ(here.idle_time(), std::nullopt);
        spare.left = spare_left::some;
        spare_notice::give();
        EXPECT_LE(here.idle_time(), spare_watch::interval);
        EXPECT_GT(here.idle_time(), duration::zero());
        EXPECT_EQ(spare.looks, 1);
        static_cast<void>(spare_notice::take());
        EXPECT_EQ(here.idle_time(), std::nullopt);
        co_return;
    }());
}

TEST(spare_watch, has_a_busy_worker_look) {
    const test::time_bound bound;
    runtime driven(runtime_options().workers(1));
    driven.run([]() -> task<> {
        keeper spare;
        worker::current().spare().add(spare);
        spare.left = spare_left::much;
        spare_notice::give();
        while (spare.looks < 3)
            co_await yield();
        spare.left = spare_left::little;
    }());
}

}  // namespace
}  // namespace eddy
