#include <eddy/runtime/detail/spin_policy.hpp>

#include <gtest/gtest.h>

#include <chrono>

namespace eddy::detail::spin_policy_test {
namespace {

using namespace std::chrono_literals;

// How many sleeps that a message ends it takes until there is an attempt.
unsigned sleeps_until_an_attempt(spin_policy& requested) {
    unsigned count = 0;
    for (; !requested.should_try(); ++count)
        requested.note_sleep_ended_by_message();
    return count;
}

TEST(spin_policy, makes_no_attempt_before_a_message_has_ended_a_sleep) {
    spin_policy requested(20us);
    EXPECT_FALSE(requested.should_try());
    requested.note_sleep_ended_by_message();
    EXPECT_TRUE(requested.should_try());
}

TEST(spin_policy, goes_on_as_long_as_attempts_succeed) {
    spin_policy requested(20us);
    requested.note_sleep_ended_by_message();
    for (int at = 0; at < 100; ++at) {
        requested.note_attempt(true);
        EXPECT_TRUE(requested.should_try());
    }
}

TEST(spin_policy, makes_fewer_attempts_the_more_were_in_vain) {
    spin_policy requested(20us);
    unsigned before = sleeps_until_an_attempt(requested);
    for (int at = 0; at < 20; ++at) {
        requested.note_attempt(false);
        const unsigned now = sleeps_until_an_attempt(requested);
        EXPECT_GE(now, before);
        before = now;
    }
    EXPECT_EQ(before, 255U) << "and does not give up";
}

TEST(spin_policy, finds_back_where_attempts_succeed_again) {
    spin_policy requested(20us);
    for (int at = 0; at < 20; ++at)
        requested.note_attempt(false);
    sleeps_until_an_attempt(requested);
    for (int at = 0; at < 40; ++at)
        requested.note_attempt(true);
    requested.note_attempt(false);
    EXPECT_EQ(sleeps_until_an_attempt(requested), 1U);
}

TEST(spin_policy, rarely_makes_attempts_of_which_every_other_fails) {
    spin_policy requested(20us);
    unsigned sleeps = 0;
    for (int at = 0; at < 40; ++at) {
        sleeps += sleeps_until_an_attempt(requested);
        requested.note_attempt(at % 2 == 0);
    }
    EXPECT_GT(sleeps, 1000U);
}

TEST(spin_policy, makes_no_attempt_of_no_length) {
    spin_policy requested(0us);
    for (int at = 0; at < 1000; ++at) {
        requested.note_sleep_ended_by_message();
        EXPECT_FALSE(requested.should_try());
    }
}

}  // namespace
}  // namespace eddy::detail::spin_policy_test
