#include <eddy/io/eagerness.hpp>

#include <gtest/gtest.h>

namespace eddy::io {
namespace {

/// How many times in a row it advises against a try.
int pauses_before_a_try(eagerness& tested) {
    int pauses = 0;
    while (!tested.is_worth_a_try())
        ++pauses;
    return pauses;
}

TEST(eagerness, tries_every_time_while_tries_succeed) {
    eagerness tested;
    for (int round = 0; round < 3; ++round) {
        EXPECT_EQ(pauses_before_a_try(tested), 0);
        tested.note(true);
    }
}

TEST(eagerness, pauses_for_longer_after_each_failure_and_never_for_ever) {
    eagerness tested;
    for (const int expected : {0, 1, 3, 7, 15, 31, 63, 63}) {
        EXPECT_EQ(pauses_before_a_try(tested), expected);
        tested.note(false);
    }
}

TEST(eagerness, forgets_failures_after_a_success) {
    eagerness tested;
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
}  // namespace eddy::io
