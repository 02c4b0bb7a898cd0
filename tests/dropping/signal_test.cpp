#include "support/drop_moments.hpp"
#include "support/turns.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/os/signals.hpp>
#include <eddy/runtime/runtime.hpp>

#include <gtest/gtest.h>

#include <csignal>
#include <unistd.h>

namespace eddy::signal_test {
namespace {

TEST(a_dropped_wait_for_a_signal, keeps_one_that_it_had_taken_from_the_system) {
    run([]() -> task<> {
        signal_set signals({SIGUSR1, SIGUSR2});
        for (int round = 0; round < 20; ++round) {
            auto waiting = spawn([](signal_set& awaited) -> task<> { co_await awaited.wait(); }(signals));
            if (round % 2 == 0)
                co_await test::turns(2);
            ::kill(::getpid(), SIGUSR2);
            if (round % 2 != 0)
                co_await yield();
            co_await test::until_one_is_ready();
            EXPECT_FALSE(waiting.done());
            waiting.cancel();
            EXPECT_EQ(co_await signals.wait(), SIGUSR2);
        }
    }());
}

}  // namespace
}  // namespace eddy::signal_test
