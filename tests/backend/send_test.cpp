#include "backend/backend_fixture.hpp"

#include <algorithm>

namespace eddy::testing::send_test {
namespace {

class send_test : public backend_test {
protected:
    /// Turns until the operation has ended while the peer reads in small pieces, and gives all that was sent.
    std::string read_slowly(recorded& sending, peer& far) {
        std::string received;
        const auto is_done = [&] {
            received += far.receive_present(48 * 1024);
            return sending.has_ended();
        };
        turn_until(is_done, duration::zero());
        if (sending.result() > 0)
            received += far.receive(static_cast<std::size_t>(sending.result()) - received.size());
        return received;
    }

    connection connect_with_small_buffers() {
        connection made = connect();
        shrink_send_buffer(made.near);
        return made;
    }
};

TEST_F(send_test, a_send_reaches_the_peer) {
    connection made = connect();
    EXPECT_EQ(send(made.near, "hello"), 5);
    EXPECT_EQ(made.far.receive(5), "hello");
    backend().close(made.near);
}

TEST_F(send_test, a_whole_send_goes_on_until_a_slow_reader_has_everything) {
    connection made = connect_with_small_buffers();
    const std::string text = numbered_text(8 << 20);
    recorded sending(io::opcode::send, made.near, text.data(), text.size());
    sending.whole = true;
    backend().submit(sending);
    const std::string received = read_slowly(sending, made.far);
    EXPECT_EQ(sending.result(), static_cast<int>(text.size()));
    EXPECT_TRUE(received == text);
    backend().close(made.near);
}

TEST_F(send_test, a_send_that_need_not_be_whole_sends_a_part) {
    connection made = connect_with_small_buffers();
    const std::string text = numbered_text(32 << 20);
    recorded sending(io::opcode::send, made.near, text.data(), text.size());
    const int sent = run(sending);
    EXPECT_GT(sent, 0);
    EXPECT_LT(sent, static_cast<int>(text.size()));
    EXPECT_TRUE(made.far.receive(static_cast<std::size_t>(sent)) ==
                text.substr(0, static_cast<std::size_t>(sent)));
    backend().close(made.near);
}

TEST_F(send_test, a_vectored_send_joins_its_buffers) {
    connection made = connect();
    const const_buffer buffers[] = {std::string_view("one "), std::string_view(""), std::string_view("two "),
                                    std::string_view("three")};
    recorded sending(io::opcode::send_vectored, made.near, buffers, std::size(buffers));
    sending.whole = true;
    EXPECT_EQ(run(sending), 13);
    EXPECT_EQ(made.far.receive(13), "one two three");
    backend().close(made.near);
}

TEST_F(send_test, a_whole_vectored_send_goes_on_until_a_slow_reader_has_everything) {
    connection made = connect_with_small_buffers();
    const std::string text = numbered_text(6 << 20);
    std::vector<const_buffer> buffers;
    std::size_t begin = 0;
    for (std::size_t count = 0; count < 200; ++count) {
        const std::size_t size = count < 199 ? 7919 * (count % 8) : text.size() - begin;
        buffers.push_back(std::string_view(text).substr(begin, size));
        begin += size;
    }
    const std::vector<const_buffer> before = buffers;
    recorded sending(io::opcode::send_vectored, made.near, buffers.data(), buffers.size());
    sending.whole = true;
    backend().submit(sending);
    const std::string received = read_slowly(sending, made.far);
    EXPECT_EQ(sending.result(), static_cast<int>(text.size()));
    EXPECT_TRUE(received == text);
    for (std::size_t at = 0; at < buffers.size(); ++at)
        EXPECT_TRUE(buffers[at].data() == before[at].data() && buffers[at].size() == before[at].size());
    backend().close(made.near);
}

TEST_F(send_test, sends_wait_for_each_other_in_their_order) {
    connection made = connect_with_small_buffers();
    const std::string first = numbered_text(4 << 20);
    const std::string second = "the end";
    recorded first_send(io::opcode::send, made.near, first.data(), first.size());
    first_send.whole = true;
    backend().submit(first_send);
    const std::string received = read_slowly(first_send, made.far);
    EXPECT_TRUE(received == first);
    EXPECT_EQ(send(made.near, second), 7);
    EXPECT_EQ(made.far.receive(7), second);
    backend().close(made.near);
}

TEST_F(send_test, sending_to_one_who_has_gone_is_an_error_and_no_signal) {
    connection made = connect();
    made.far.reset();
    const int first = send(made.near, "anyone?");
    EXPECT_TRUE(first == 7 || first == -ECONNRESET || first == -EPIPE) << first;
    turn_until([&] { return send(made.near, "anyone?") == -EPIPE; });
    const const_buffer buffers[] = {std::string_view("anyone?")};
    recorded sending(io::opcode::send_vectored, made.near, buffers, 1);
    EXPECT_EQ(run(sending), -EPIPE);
    backend().close(made.near);
}

TEST_F(send_test, a_whole_send_ends_when_the_peer_goes_in_the_middle) {
    connection made = connect_with_small_buffers();
    const std::string text = numbered_text(16 << 20);
    recorded sending(io::opcode::send, made.near, text.data(), text.size());
    sending.whole = true;
    backend().submit(sending);
    backend().turn(duration::zero());
    EXPECT_TRUE(sending.outcomes.empty());
    made.far.reset();
    turn_until([&] { return sending.has_ended(); });
    EXPECT_LT(sending.result(), static_cast<int>(text.size()));
    EXPECT_LT(send(made.near, "more"), 0);
    backend().close(made.near);
}

TEST_F(send_test, receiving_goes_on_while_a_send_waits) {
    connection made = connect_with_small_buffers();
    const std::string text = numbered_text(16 << 20);
    recorded sending(io::opcode::send, made.near, text.data(), text.size());
    sending.whole = true;
    backend().submit(sending);
    made.far.send("question");
    EXPECT_EQ(receive(made.near, 8), "question");
    EXPECT_TRUE(sending.outcomes.empty());
    made.far.finish();
    EXPECT_EQ(receive(made.near, 1), "");
    const std::string received = read_slowly(sending, made.far);
    EXPECT_TRUE(received == text);
    backend().close(made.near);
}

}  // namespace
}  // namespace eddy::testing::send_test
