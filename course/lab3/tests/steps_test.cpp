// Steps 1 to 3 of lab 3; the others are in the files beside this one.

#include "call.hpp"
#include "ring.hpp"
#include "sleep.hpp"
#include "support/ring_world.hpp"
#include "support/test.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <string>
#include <vector>

using namespace lab_test;
using namespace std::chrono_literals;

// -- step 1 --

constexpr const char* ring_anchor = "step-1-a-ring";

TEST(step1, a_no_op_is_reported_to_its_owner) {
    course::suspect("wait() does not submit what has gathered, or does not report what has completed",
                    ring_anchor);
    lab::ring ring;
    probe owner;
    io_uring_prep_nop(&ring.entry_for(&owner));
    EXPECT_EQ(owner.times, 0) << course::why("an operation was reported before it was submitted",
                                             ring_anchor);
    ring.wait(std::nullopt);
    EXPECT_EQ(owner.times, 1) << course::why(
        "each completion is reported once, to the owner in its user_data", ring_anchor);
    ring.wait(lab::time_point::min());
    EXPECT_EQ(owner.times, 1) << course::why("a completion was reported again: advance the completion queue",
                                             ring_anchor);
}

TEST(step1, a_result_is_handed_on_as_it_is) {
    lab::ring ring;
    probe owner;
    char byte = 0;
    io_uring_prep_read(&ring.entry_for(&owner), -1, &byte, 1, 0);
    ring.wait(std::nullopt);
    EXPECT_EQ(owner.last_result, -EBADF)
        << course::why("res is the result, negative for an error", ring_anchor);
}

TEST(step1, an_entry_without_an_owner_is_ignored) {
    course::suspect("a completion whose user_data is 0 has no owner", ring_anchor);
    lab::ring ring;
    io_uring_prep_nop(&ring.entry_for(nullptr));
    ring.wait(std::nullopt);
    SUCCEED();
}

TEST(step1, all_that_has_completed_is_reported_in_order) {
    lab::ring ring;
    std::vector<probe> owners(20);
    for (probe& owner : owners)
        io_uring_prep_nop(&ring.entry_for(&owner));
    ring.wait(std::nullopt);
    for (const probe& owner : owners)
        EXPECT_EQ(owner.times, 1) << course::why("one wait reports every completion that is there",
                                                 ring_anchor);
}

TEST(step1, a_sleeping_loop_wakes_at_its_time_and_not_over_and_over) {
    course::suspect(
        "wait(until) does not end at its time: a time-out is a duration, and `until` a point in time",
        ring_anchor);
    watched_ring watched;
    lab::loop loop(watched);
    const auto begun = lab::clock::now();
    const auto work = []() -> lab::task<> { co_await lab::sleep(60ms); };
    loop.run(work());
    EXPECT_GE(lab::clock::now() - begun, 60ms);
    EXPECT_LT(watched.waits, 20) << course::why("wait() returns at once instead of sleeping until its time",
                                                ring_anchor);
}

TEST(step1, a_completion_ends_a_wait_that_has_a_limit) {
    course::suspect("wait(until) sleeps until its time although a completion has come", ring_anchor);
    lab::ring ring;
    probe owner;
    io_uring_prep_nop(&ring.entry_for(&owner));
    ring.wait(lab::clock::now() + 1h);
    EXPECT_EQ(owner.times, 1);
}

TEST(step1, a_look_without_a_wait_enters_the_kernel) {
    lab::ring ring;
    socket_pair pair;
    probe owner;
    char bytes[8];
    io_uring_prep_recv(&ring.entry_for(&owner), pair.ends[0], bytes, sizeof(bytes), 0);
    ring.wait(lab::time_point::min());
    EXPECT_EQ(owner.times, 0) << course::why("nothing has arrived yet", ring_anchor);
    ASSERT_EQ(::write(pair.ends[1], "hi", 2), 2);
    for (int looks = 0; looks < 3 && owner.times == 0; ++looks)
        ring.wait(lab::time_point::min());
    EXPECT_EQ(owner.times, 1) << course::why(
        "a wait that must not sleep has to enter the kernel: with DEFER_TASKRUN nothing completes outside of "
        "it",
        ring_anchor);
}

// -- step 2 --

constexpr const char* call_anchor = "step-2-a-call-in-a-frame";

TEST(step2, a_task_reads_from_a_pipe) {
    course::suspect(
        "the result of a call does not reach its task: is user_data set after the entry was copied?",
        call_anchor);
    lab::ring ring;
    lab::loop loop(ring);
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const auto work = [&]() -> lab::task<std::string> {
        const int written = co_await lab::write(ends[1], bytes_of("hello"));
        std::array<std::byte, 16> into;
        const int size = co_await lab::read(ends[0], into);
        EXPECT_EQ(written, 5);
        co_return text_of(std::span(into).first(static_cast<std::size_t>(size)));
    };
    EXPECT_EQ(loop.run(work()), "hello")
        << course::why("a call returns what the system call returns", call_anchor);
    ::close(ends[0]);
    ::close(ends[1]);
}

TEST(step2, an_error_is_thrown_with_its_number) {
    lab::ring ring;
    lab::loop loop(ring);
    const auto work = [&]() -> lab::task<int> {
        std::array<std::byte, 16> into;
        try {
            const int size = co_await lab::read(-1, into);
            co_return size;
        } catch (const std::system_error& error) {
            co_return error.code().value() == EBADF&& error.code().category() == std::system_category()
                ? 1000
                : 1001;
        }
    };
    const int got = loop.run(work());
    EXPECT_NE(got, -EBADF) << course::why("a negative result is an error, to be thrown", call_anchor);
    EXPECT_EQ(got, 1000) << course::why(
        "std::system_error takes the positive error number, and system_category", call_anchor);
}

TEST(step2, tasks_are_resumed_by_the_loop_not_by_the_ring) {
    watched_ring watched;
    lab::loop loop(watched);
    bool was_waiting = false;
    const auto work = [&]() -> lab::task<> {
        socket_pair pair;
        std::array<std::byte, 16> into;
        co_await lab::write(pair.ends[0], bytes_of("x"));
        was_waiting = was_waiting || watched.is_waiting;
        co_await lab::read(pair.ends[1], into);
        was_waiting = was_waiting || watched.is_waiting;
    };
    loop.run(work());
    EXPECT_FALSE(was_waiting) << course::why("completed() has resumed a coroutine inside wait(): post it",
                                             ring_anchor);
}

TEST(step2, many_calls_of_one_task_and_many_tasks) {
    course::suspect("a call is resumed for another one's completion, or not at all", call_anchor);
    lab::ring ring;
    lab::loop loop(ring);
    int done = 0;
    const auto client = [&](int number) -> lab::task<> {
        socket_pair pair;
        for (int round = 0; round < 20; ++round) {
            const std::string sent = std::to_string(number) + ":" + std::to_string(round);
            std::array<std::byte, 32> into;
            co_await lab::send(pair.ends[0], bytes_of(sent));
            const int size = co_await lab::read(pair.ends[1], into);
            EXPECT_EQ(text_of(std::span(into).first(static_cast<std::size_t>(size))), sent);
        }
        ++done;
    };
    const auto all = [&]() -> lab::task<> {
        for (int number = 0; number < 50; ++number)
            loop.spawn(client(number));
        while (done != 50)
            co_await lab::sleep(1ms);
    };
    loop.run(all());
    EXPECT_EQ(done, 50);
}

// -- step 3 --

constexpr const char* batch_anchor = "step-3-batches";

TEST(step3, a_hundred_calls_are_one_submission) {
    watched_ring watched;
    lab::loop loop(watched);
    int done = 0;
    const auto one = [&]() -> lab::task<> {
        socket_pair pair;
        co_await lab::send(pair.ends[0], bytes_of("x"));
        ++done;
    };
    const auto all = [&]() -> lab::task<> {
        for (int number = 0; number < 100; ++number)
            loop.spawn(one());
        while (done != 100)
            co_await lab::yield();
    };
    loop.run(all());
    EXPECT_GE(watched.gathered_max, 100U) << course::why(
        "the entries are submitted one by one: a call must not enter the kernel, the loop's wait does",
        batch_anchor);
    EXPECT_EQ(watched.left_behind, 0U) << course::why("a wait leaves entries in the queue", batch_anchor);
}

TEST(step3, a_full_submission_queue_is_submitted) {
    course::suspect(
        "io_uring_get_sqe() returns nullptr when the queue is full: submit, and take an entry again",
        batch_anchor);
    lab::ring ring(8);
    std::vector<probe> owners(100);
    for (probe& owner : owners)
        io_uring_prep_nop(&ring.entry_for(&owner));
    int reported = 0;
    for (int looks = 0; looks < 200 && reported != 100; ++looks) {
        ring.wait(lab::time_point::min());
        reported = 0;
        for (const probe& owner : owners)
            reported += owner.times;
    }
    EXPECT_EQ(reported, 100) << course::why("entries were lost when the queue was full", batch_anchor);
}

TEST(step3, completions_that_did_not_fit_into_the_queue_come_later) {
    course::suspect("completions beyond the queue's size are delivered when the kernel is entered for events",
                    batch_anchor);
    lab::ring ring(8);
    std::vector<probe> owners(1000);
    for (probe& owner : owners)
        io_uring_prep_nop(&ring.entry_for(&owner));
    int reported = 0;
    for (int looks = 0; looks < 1000 && reported != 1000; ++looks) {
        ring.wait(lab::time_point::min());
        reported = 0;
        for (const probe& owner : owners)
            reported += owner.times;
    }
    EXPECT_EQ(reported, 1000) << course::why("completions were lost when their queue was full", batch_anchor);
}
