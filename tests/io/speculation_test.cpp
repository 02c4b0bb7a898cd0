#include <eddy/io/detail/speculation.hpp>

#include <gtest/gtest.h>

namespace eddy::io::speculation_test {
namespace {

/// How many times in a row it advises against a try.
int pauses_before_a_try(speculation& tested) {
    int pauses = 0;
    while (!tested.should_try())
        ++pauses;
    return pauses;
}

TEST(speculation, tries_every_time_while_tries_succeed) {
    speculation tested;
    for (int round = 0; round < 3; ++round) {
        EXPECT_EQ(pauses_before_a_try(tested), 0);
        tested.note(true);
    }
}

TEST(speculation, pauses_for_longer_after_each_failure_and_never_for_ever) {
    speculation tested;
    for (const int expected : {0, 1, 3, 7, 15, 31, 63, 63}) {
        EXPECT_EQ(pauses_before_a_try(tested), expected);
        tested.note(false);
    }
}

TEST(speculation, forgets_failures_after_a_success) {
    speculation tested;
    for (int failure = 0; failure < 4; ++failure) {
        static_cast<void>(pauses_before_a_try(tested));
        tested.note(false);
    }
    static_cast<void>(pauses_before_a_try(tested));
    tested.note(true);
    EXPECT_EQ(pauses_before_a_try(tested), 0);
    tested.note(false);
    EXPECT_EQ(pauses_before_a_try(tested), 1);
}

}  // namespace
}  // namespace eddy::io::speculation_test
