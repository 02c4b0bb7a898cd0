#pragma once

#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/runtime.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <semaphore>
#include <type_traits>
#include <utility>

namespace eddy::test {

/// What holds a worker still.
struct standstill {
    std::binary_semaphore waits{0};
    std::binary_semaphore released{0};
};

/// Its worker stands still between the waiter's beginning and its drop, so that the news of its release lies
/// in the inbox meanwhile.
inline task<> wait_and_be_dropped(std::shared_ptr<standstill> both, task<> waits) {
    auto waiting = spawn(std::move(waits));
    co_await yield();
    both->waits.release();
    both->released.acquire();
    EXPECT_FALSE(waiting.done());
    waiting.cancel();
}

/// Lets `waits` come to where it waits on worker 1, calls release() on this one (or awaits it, if it is a
/// task), which is to end that wait, and has it dropped before it hears of that.
template <class Release>
task<> drop_with_the_news_under_way(task<> waits, Release release) {
    const auto both = std::make_shared<standstill>();
    auto there = runtime::current().spawn_on(1, wait_and_be_dropped(both, std::move(waits)));
    both->waits.acquire();
    if constexpr (std::is_same_v<Release, task<>>)
        co_await std::move(release);
    else
        release();
    both->released.release();
    co_await there;
}

}  // namespace eddy::test
