#pragma once

#include "sync/stress.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/sync/condition_variable.hpp>
#include <eddy/sync/mutex.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace eddy::test {

/// Tokens that tasks give and take. As many are given as are taken, and every taker must get one.
struct purse {
    mutex shared;
    condition_variable changed;
    int tokens = 0;
};

inline task<> take(std::shared_ptr<purse> from, stress_choice choice) {
    auto guard = co_await from->shared.lock();
    const auto has_tokens = [&] { return from->tokens > 0; };
    switch (choice.below(4)) {
        case 0:
            for (bool has_one = false; !has_one;)
                has_one = co_await from->changed.wait_for(guard, std::chrono::microseconds(choice.below(300)),
                                                          has_tokens);
            break;
        case 1:
            while (from->tokens == 0)
                co_await from->changed.wait(guard);
            break;
        default:
            co_await from->changed.wait(guard, has_tokens);
    }
    --from->tokens;
}

inline task<> give(std::shared_ptr<purse> to, stress_choice choice) {
    for (auto delay = choice.below(3); delay != 0; --delay)
        co_await yield();
    auto guard = co_await to->shared.lock();
    ++to->tokens;
    if (choice.flip())
        guard.unlock();
    if (choice.below(8) == 0)
        to->changed.notify_all();
    else
        to->changed.notify_one();
}

/// A taker, and the giver of what it takes.
struct couple {
    handle<> taker;
    handle<> giver;
};

/// Ends a couple: waits for the taker, or drops it, in which case somebody else takes its token.
inline task<> end(couple& ended, std::shared_ptr<purse> shared, stress_choice choice) {
    const bool is_dropped = choice.below(3) == 0 && !ended.taker.done();
    if (is_dropped)
        ended.taker.cancel();
    else
        co_await ended.taker;
    co_await ended.giver;
    if (is_dropped)
        co_await take(shared, choice);
}

/// Makes so many couples, eight at a time, and drops every third taker, at a random moment.
inline task<> give_and_take(std::shared_ptr<purse> shared, std::uint64_t seed, std::size_t operations) {
    stress_choice choice(seed);
    const auto next_choice = [&] { return stress_choice(choice.below(~std::uint64_t{0})); };
    std::array<couple, 8> running;
    for (std::size_t made = 0; made < operations; ++made) {
        auto& changed = running[choice.below(running.size())];
        if (changed.taker)
            co_await end(changed, shared, next_choice());
        changed.taker = spawn(take(shared, next_choice()), "taker");
        changed.giver = spawn(give(shared, next_choice()), "giver");
        if (choice.below(4) == 0)
            co_await yield();
    }
    for (auto& each : running)
        if (each.taker)
            co_await end(each, shared, next_choice());
}

/// On each worker, which must leave no token.
inline task<> give_and_take_on_each(std::uint64_t seed) {
    const auto shared = std::make_shared<purse>();
    auto& here = runtime::current();
    std::vector<remote_handle<>> started;
    for (std::size_t at = 0; at < here.workers(); ++at)
        started.push_back(
            here.spawn_on(at, give_and_take(shared, seed + at, stress_operations() / 4 / here.workers())));
    for (auto& each : started)
        co_await each;
    EXPECT_EQ(shared->tokens, 0);
    EXPECT_FALSE(shared->shared.is_locked());
}

/// Asks so often for a token, by a negative number of them, from a thread that does not wait for the lock but
/// grabs it, so that it comes as early as it can.
inline task<> ask_a_hurried_thread(std::size_t times) {
    const auto shared = std::make_shared<purse>();
    std::thread hurried([shared, times] {
        for (std::size_t given = 0; given < times;) {
            auto guard = shared->shared.try_lock();
            if (!guard || shared->tokens == 0)
                continue;
            shared->tokens = 0;
            ++given;
            shared->changed.notify_one();
        }
    });
    for (std::size_t requested = 0; requested < times; ++requested) {
        auto guard = co_await shared->shared.lock();
        shared->tokens = -1;
        co_await shared->changed.wait(guard, [&] { return shared->tokens == 0; });
    }
    hurried.join();
}

}  // namespace eddy::test
