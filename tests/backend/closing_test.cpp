#include "backend/backend_fixture.hpp"

#include <fcntl.h>
#include <memory>

namespace eddy::testing::closing_test {
namespace {

class closing_test : public backend_test {};

TEST_F(closing_test, a_cancelled_receive_ends_in_a_later_turn) {
    connection made = connect();
    char byte = 0;
    recorded receiving(io::opcode::receive, made.near, &byte, 1);
    for (const bool waits : {false, true}) {
        receiving.outcomes.clear();
        backend().submit(receiving);
        if (waits)
            backend().turn(duration::zero());
        backend().cancel(receiving);
        EXPECT_FALSE(receiving.is_idle());
        EXPECT_TRUE(receiving.outcomes.empty());
        turn_until([&] { return receiving.has_ended(); });
        EXPECT_EQ(receiving.result(), -ECANCELED);
        EXPECT_EQ(receiving.outcomes.size(), 1U);
    }
    backend().close(made.near);
}

TEST_F(closing_test, cancelling_an_idle_operation_does_nothing) {
    connection made = connect();
    char byte = 0;
    recorded receiving(io::opcode::receive, made.near, &byte, 1);
    backend().cancel(receiving);
    backend().turn(duration::zero());
    EXPECT_TRUE(receiving.outcomes.empty());
    made.far.send("x");
    EXPECT_EQ(run(receiving), 1);
    backend().cancel(receiving);
    backend().turn(duration::zero());
    EXPECT_EQ(receiving.outcomes.size(), 1U);
    backend().close(made.near);
}

TEST_F(closing_test, cancelling_twice_ends_an_operation_once) {
    connection made = connect();
    recorded receiving(io::opcode::receive_multishot, made.near);
    backend().submit(receiving);
    backend().turn(duration::zero());
    backend().cancel(receiving);
    backend().cancel(receiving);
    turn_until([&] { return receiving.has_ended(); });
    backend().turn(duration::zero());
    EXPECT_EQ(receiving.outcomes.size(), 1U);
    backend().close(made.near);
}

TEST_F(closing_test, what_was_cancelled_before_a_close_ends) {
    connection made = connect();
    shrink_send_buffer(made.near);
    recorded receiving(io::opcode::receive_multishot, made.near);
    const std::string text = numbered_text(16 << 20);
    recorded sending(io::opcode::send, made.near, text.data(), text.size());
    sending.whole = true;
    backend().submit(receiving);
    backend().submit(sending);
    backend().turn(duration::zero());
    EXPECT_TRUE(receiving.outcomes.empty());
    EXPECT_TRUE(sending.outcomes.empty());
    backend().cancel(receiving);
    backend().cancel(sending);
    backend().close(made.near);
    turn_until([&] { return receiving.has_ended() && sending.has_ended(); });
    EXPECT_EQ(receiving.result(), -ECANCELED);
    EXPECT_LT(sending.result(), static_cast<int>(text.size()));
    EXPECT_LT(made.far.receive(text.size()).size(), text.size());
}

TEST_F(closing_test, a_closed_connection_ends_for_its_peer_with_the_next_turn) {
    connection made = connect();
    EXPECT_EQ(send(made.near, "bye"), 3);
    backend().close(made.near);
    backend().turn(duration::zero());
    EXPECT_EQ(made.far.receive(3), "bye");
    EXPECT_TRUE(made.far.is_at_end());
}

TEST_F(closing_test, a_number_that_is_used_again_is_a_new_descriptor) {
    int reused = 0;
    int last = -1;
    for (int round = 0; round < 200; ++round) {
        connection made = connect();
        reused += made.near == last ? 1 : 0;
        last = made.near;
        std::string into(16, '#');
        recorded receiving(io::opcode::receive, made.near, into.data(), into.size());
        backend().submit(receiving);
        if (round % 2 == 0)
            backend().turn(duration::zero());
        // What happens to the old connection is on its way while its number goes to the next one.
        if (round % 3 == 0)
            made.far.send("stale");
        if (round % 3 == 1)
            made.far.reset();
        if (!receiving.is_idle())
            backend().withdraw(receiving);
        backend().close(made.near);
        backend().turn(duration::zero());
    }
    EXPECT_GT(reused, 100);
}

TEST_F(closing_test, events_of_a_closed_descriptor_do_not_touch_the_next_of_its_number) {
    connection old = connect();
    char byte = '#';
    recorded receiving(io::opcode::receive, old.near, &byte, 1);
    backend().submit(receiving);
    backend().turn(duration::zero());
    backend().cancel(receiving);
    // A duplicate, as a child process would hold it, keeps the old file alive behind the number's back.
    const int duplicate = ::dup(old.near);
    backend().close(old.near);
    turn_until([&] { return receiving.is_idle(); });

    connection next = connect();
    ASSERT_EQ(next.near, old.near);
    receiving.descriptor = next.near;
    receiving.outcomes.clear();
    backend().submit(receiving);
    backend().turn(duration::zero());
    old.far.send("x");
    backend().turn(1ms);
    old.far.reset();
    backend().turn(1ms);
    EXPECT_TRUE(receiving.outcomes.empty());
    next.far.send("y");
    turn_until([&] { return receiving.has_ended(); });
    EXPECT_EQ(receiving.result(), 1);
    EXPECT_EQ(byte, 'y');
    ::close(duplicate);
    backend().close(next.near);
}

TEST_F(closing_test, an_event_of_a_closed_descriptor_does_not_make_the_next_of_its_number_readable) {
    connection old = connect();
    char byte = '#';
    recorded receiving(io::opcode::receive, old.near, &byte, 1);
    backend().submit(receiving);
    backend().turn(duration::zero());
    cancel(receiving);
    // A duplicate, as a child process would hold it, lets the old connection have events after the close.
    const int duplicate = ::dup(old.near);
    backend().close(old.near);
    backend().turn(duration::zero());

    connection next = connect();
    ASSERT_EQ(next.near, old.near);
    recorded waiting(io::opcode::await_readable, next.near);
    backend().submit(waiting);
    backend().turn(duration::zero());
    old.far.send("x");
    for (int turns = 0; turns < 3; ++turns)
        backend().turn(duration::zero());
    EXPECT_TRUE(waiting.outcomes.empty());
    next.far.send("y");
    turn_until([&] { return waiting.has_ended(); });
    EXPECT_GE(waiting.result(), 0);
    ::close(duplicate);
    backend().close(next.near);
}

TEST_F(closing_test, a_local_socket_with_the_number_of_a_closed_one_is_received_from) {
    int last = -1;
    for (const char sent : {'a', 'b', 'c'}) {
        int near = -1;
        int far = -1;
        ASSERT_EQ(backend().system().sockets->open_local_pair(io::socket_kind::stream, near, far), 0);
        EXPECT_TRUE(last == -1 || near == last);
        last = near;
        char byte = '#';
        recorded receiving(io::opcode::receive, near, &byte, 1);
        backend().submit(receiving);
        backend().turn(duration::zero());
        EXPECT_EQ(send(far, {&sent, 1}), 1);
        turn_until([&] { return receiving.has_ended(); });
        EXPECT_EQ(byte, sent);
        backend().submit(receiving);
        backend().turn(duration::zero());
        EXPECT_EQ(cancel(receiving), -ECANCELED);
        backend().close(near);
        backend().close(far);
        backend().turn(duration::zero());
    }
}

TEST_F(closing_test, draining_ends_every_kind_of_operation) {
    endpoint at;
    const int listening = listen(at);
    connection made = connect();
    connection pooled = connect();
    shrink_send_buffer(made.near);
    const std::string text = numbered_text(16 << 20);
    char byte = 0;
    int ends[2];
    ASSERT_EQ(::pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
    recorded accepting(io::opcode::accept_multishot, listening);
    recorded receiving(io::opcode::receive, made.near, &byte, 1);
    recorded receiving_pooled(io::opcode::receive_multishot, pooled.near);
    recorded sending(io::opcode::send, made.near, text.data(), text.size());
    sending.whole = true;
    recorded reading(io::opcode::read, ends[0], &byte, 1);
    recorded late(io::opcode::receive, pooled.near, &byte, 1);
    recorded* const all[] = {&accepting, &receiving, &receiving_pooled, &sending, &reading, &late};
    for (recorded* const one : all) {
        if (one == &late)
            backend().turn(duration::zero());
        backend().submit(*one);
    }
    backend().drain();
    for (recorded* const one : all) {
        EXPECT_TRUE(one->has_ended());
        EXPECT_EQ(one->outcomes.size(), 1U);
        EXPECT_TRUE(one->result() == -ECANCELED || one == &sending) << one->result();
    }
    backend_.reset();
    for (const int descriptor : {listening, made.near, pooled.near, ends[0], ends[1]})
        ::close(descriptor);
}

}  // namespace
}  // namespace eddy::testing::closing_test
