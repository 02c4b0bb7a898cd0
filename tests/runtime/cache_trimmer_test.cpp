#include "support/time_bound.hpp"

#include <eddy/core/yield.hpp>
#include <eddy/runtime/detail/cache_trimmer.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/worker.hpp>
#include <eddy/sync/event.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <thread>

namespace eddy::cache_trimmer_test {
namespace {

using detail::cache_trimmer;
using detail::trim_request;
using detail::trim_rest;
using namespace std::chrono_literals;

class keeper final : public detail::trimmable_cache {
public:
    [[nodiscard]] trim_rest trim_some() noexcept override {
        ++looks;
        return left;
    }

    int looks = 0;
    trim_rest left = trim_rest::little;
};

constexpr time_point start{1h};

TEST(cache_trimmer, is_needed_once_somebody_has_given_notice) {
    static_cast<void>(trim_request::take());
    EXPECT_FALSE(cache_trimmer::is_needed());
    trim_request::give();
    EXPECT_TRUE(cache_trimmer::is_needed());
}

TEST(cache_trimmer, looks_at_all_until_only_a_little_is_left) {
    cache_trimmer watch;
    keeper first;
    keeper second;
    watch.add(first);
    watch.add(second);
    trim_request::give();
    second.left = trim_rest::some;
    watch.look_if_due(start);
    EXPECT_EQ(first.looks, 1);
    EXPECT_EQ(second.looks, 1);
    EXPECT_TRUE(cache_trimmer::is_needed());
    EXPECT_EQ(watch.next_look(), start + cache_trimmer::interval);
    watch.look_if_due(start + cache_trimmer::interval - 1ns);
    EXPECT_EQ(second.looks, 1) << "it is not time yet";
    second.left = trim_rest::little;
    watch.look_if_due(start + cache_trimmer::interval);
    EXPECT_EQ(second.looks, 2);
    EXPECT_FALSE(cache_trimmer::is_needed());
}

TEST(cache_trimmer, goes_on_at_once_where_much_is_left) {
    cache_trimmer watch;
    keeper large;
    watch.add(large);
    trim_request::give();
    large.left = trim_rest::much;
    watch.look_if_due(start);
    EXPECT_EQ(watch.next_look(), start);
    watch.look_if_due(start);
    EXPECT_EQ(large.looks, 2);
    static_cast<void>(trim_request::take());
}

TEST(cache_trimmer, forgets_a_keeper_that_has_gone) {
    cache_trimmer watch;
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
class burst_left final : public detail::trimmable_cache {
public:
    [[nodiscard]] trim_rest trim_some() noexcept override {
        if (++looks_ < 10)
            return trim_rest::much;
        if (looks_ == 10)
            gone.set_value();
        return trim_rest::little;
    }

    std::promise<void> gone;

private:
    int looks_ = 0;
};

TEST(cache_trimmer, has_an_idle_worker_look) {
    const test::time_bound bound;
    runtime driven(runtime_options().workers(1));
    event<> over;
    burst_left left;
    std::thread outside([&] {
        left.gone.get_future().wait();
        over.set();
    });
    driven.run([](event<>& waited, burst_left& spare) -> task<> {
        detail::worker_core::current().spare().add(spare);
        trim_request::give();
        co_await waited.wait();  // and nothing else happens
    }(over, left));
    outside.join();
}

TEST(cache_trimmer, lets_a_worker_sleep_until_the_next_look_and_then_for_as_long_as_it_likes) {
    const test::time_bound bound;
    runtime driven(runtime_options().workers(1));
    driven.run([]() -> task<> {
        detail::worker_core& here = detail::worker_core::current();
        keeper spare;
        here.spare().add(spare);
        static_cast<void>(trim_request::take());
        EXPECT_EQ(here.idle_time(), std::nullopt);
        spare.left = trim_rest::some;
        trim_request::give();
        EXPECT_LE(here.idle_time(), cache_trimmer::interval);
        EXPECT_GT(here.idle_time(), duration::zero());
        EXPECT_EQ(spare.looks, 1);
        static_cast<void>(trim_request::take());
        EXPECT_EQ(here.idle_time(), std::nullopt);
        co_return;
    }());
}

TEST(cache_trimmer, has_a_busy_worker_look) {
    const test::time_bound bound;
    runtime driven(runtime_options().workers(1));
    driven.run([]() -> task<> {
        keeper spare;
        detail::worker_core::current().spare().add(spare);
        spare.left = trim_rest::much;
        trim_request::give();
        while (spare.looks < 3)
            co_await yield();
        spare.left = trim_rest::little;
    }());
}

}  // namespace
}  // namespace eddy::cache_trimmer_test
