#include "backend/backend_fixture.hpp"

#include <algorithm>
#include <csignal>
#include <fcntl.h>

namespace eddy::testing::receive_test {
namespace {

class receive_test : public backend_test {};

TEST_F(receive_test, a_receive_takes_what_is_there) {
    connection made = connect();
    made.far.send("abc");
    std::string into(16, '\0');
    recorded receiving(io::opcode::receive, made.near, into.data(), into.size());
    EXPECT_EQ(run(receiving), 3);
    EXPECT_EQ(into.substr(0, 3), "abc");
    backend().close(made.near);
}

TEST_F(receive_test, a_receive_waits_for_what_comes) {
    connection made = connect();
    std::string into(16, '\0');
    recorded receiving(io::opcode::receive, made.near, into.data(), into.size());
    for (const std::string_view text : {"first", "second", "third"}) {
        receiving.outcomes.clear();
        backend().submit(receiving);
        backend().turn(duration::zero());
        EXPECT_TRUE(receiving.outcomes.empty());
        made.far.send(text);
        turn_until([&] { return receiving.has_ended(); });
        EXPECT_EQ(into.substr(0, static_cast<std::size_t>(receiving.result())), text);
    }
    backend().close(made.near);
}

TEST_F(receive_test, no_completion_comes_inside_submit) {
    connection made = connect();
    made.far.send("abc");
    std::string into(16, '\0');
    recorded receiving(io::opcode::receive, made.near, into.data(), into.size());
    backend().submit(receiving);
    EXPECT_FALSE(receiving.is_idle());
    EXPECT_TRUE(receiving.outcomes.empty());
    turn_until([&] { return receiving.has_ended(); });
    EXPECT_EQ(receiving.outcomes.size(), 1U);
    backend().close(made.near);
}

TEST_F(receive_test, bytes_come_in_order_however_small_the_pieces) {
    connection made = connect();
    const std::string text = numbered_text(20'000);
    made.far.send(text);
    std::string received;
    while (received.size() < text.size()) {
        const std::string piece =
            receive(made.near, std::min<std::size_t>(97, text.size() - received.size()));
        ASSERT_FALSE(piece.empty());
        received += piece;
    }
    EXPECT_EQ(received, text);
    backend().close(made.near);
}

TEST_F(receive_test, the_end_of_the_stream_is_zero_again_and_again) {
    connection made = connect();
    made.far.close();
    std::string into(16, '\0');
    for (int count = 0; count < 3; ++count) {
        recorded receiving(io::opcode::receive, made.near, into.data(), into.size());
        EXPECT_EQ(run(receiving), 0);
    }
    backend().close(made.near);
}

TEST_F(receive_test, an_end_that_comes_with_data_is_seen_after_it) {
    for (int count = 0; count < 50; ++count) {
        connection made = connect();
        std::string into(64, '\0');
        recorded receiving(io::opcode::receive, made.near, into.data(), into.size());
        if (count % 2 == 0) {
            backend().submit(receiving);
            backend().turn(duration::zero());
        }
        made.far.send("last words");
        made.far.finish();
        if (count % 2 == 1)
            backend().submit(receiving);
        turn_until([&] { return receiving.has_ended(); });
        EXPECT_EQ(receiving.result(), 10);
        EXPECT_EQ(run(receiving), 0);
        EXPECT_EQ(send(made.near, "answer"), 6);
        EXPECT_EQ(made.far.receive(6), "answer");
        backend().close(made.near);
    }
}

TEST_F(receive_test, a_reset_is_an_error) {
    connection made = connect();
    std::string into(16, '\0');
    recorded receiving(io::opcode::receive, made.near, into.data(), into.size());
    backend().submit(receiving);
    backend().turn(duration::zero());
    made.far.reset();
    turn_until([&] { return receiving.has_ended(); });
    EXPECT_EQ(receiving.result(), -ECONNRESET);
    backend().close(made.near);
}

TEST_F(receive_test, two_receives_on_one_stream_are_both_served) {
    connection made = connect();
    char first = '\0';
    char second = '\0';
    recorded first_receive(io::opcode::receive, made.near, &first, 1);
    recorded second_receive(io::opcode::receive, made.near, &second, 1);
    backend().submit(first_receive);
    backend().submit(second_receive);
    backend().turn(duration::zero());
    made.far.send("12");
    turn_until([&] { return first_receive.has_ended() && second_receive.has_ended(); });
    EXPECT_EQ(std::min(first, second), '1');
    EXPECT_EQ(std::max(first, second), '2');
    backend().close(made.near);
}

TEST_F(receive_test, urgent_data_does_not_hold_up_what_follows_it) {
    connection made = connect();
    std::string received;
    made.far.send("before");
    ASSERT_EQ(::send(made.far.descriptor(), "!", 1, MSG_OOB), 1);
    made.far.send("after");
    received = receive(made.near, 11);
    EXPECT_EQ(received, "beforeafter");
    backend().close(made.near);
}

TEST_F(receive_test, a_read_takes_from_a_pipe_until_its_end) {
    for (const int flags : {O_CLOEXEC, O_CLOEXEC | O_NONBLOCK}) {
        int ends[2];
        ASSERT_EQ(::pipe2(ends, flags), 0);
        std::string into(4, '\0');
        recorded reading(io::opcode::read, ends[0], into.data(), into.size());
        backend().submit(reading);
        backend().turn(duration::zero());
        EXPECT_TRUE(reading.outcomes.empty());
        ASSERT_EQ(::write(ends[1], "seven b", 7), 7);
        turn_until([&] { return reading.has_ended(); });
        EXPECT_EQ(reading.result(), 4);
        EXPECT_EQ(into, "seve");
        EXPECT_EQ(run(reading), 3);
        EXPECT_EQ(into.substr(0, 3), "n b");
        backend().submit(reading);
        backend().turn(duration::zero());
        ::close(ends[1]);
        turn_until([&] { return reading.is_idle(); });
        EXPECT_EQ(reading.result(), 0);
        backend().close(ends[0]);
    }
}

TEST_F(receive_test, a_read_of_signals_waits_for_one) {
    const int signals[] = {SIGUSR1};
    const int descriptor = backend().system().descriptors->open_signals(signals);
    ASSERT_GE(descriptor, 0);
    std::string into(128, '\0');
    recorded reading(io::opcode::read, descriptor, into.data(), into.size());
    for (int count = 0; count < 2; ++count) {
        reading.outcomes.clear();
        backend().submit(reading);
        backend().turn(duration::zero());
        EXPECT_TRUE(reading.outcomes.empty());
        ASSERT_EQ(::pthread_kill(::pthread_self(), SIGUSR1), 0);
        turn_until([&] { return reading.has_ended(); });
        EXPECT_EQ(reading.result(), 128);
    }
    backend().close(descriptor);
}

}  // namespace
}  // namespace eddy::testing::receive_test
