#include "backend/backend_fixture.hpp"
#include "support/ipv6.hpp"

#include <eddy/io/local_endpoint.hpp>
#include <eddy/io/message.hpp>

#include <array>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace eddy::testing::message_test {
namespace {

/// A message operation that keeps its outcome.
struct recorded_message : io::message_operation {
    recorded_message(io::opcode kind, int on, const void* memory, std::size_t bytes)
        : message_operation(kind, &record), piece(memory, bytes) {
        descriptor = on;
        reported.buffers = std::span(&piece, 1);
    }
    recorded_message(int on, std::string_view text)
        : recorded_message(io::opcode::send_message, on, text.data(), text.size()) {}
    recorded_message(int on, std::string& into)
        : recorded_message(io::opcode::receive_message, on, into.data(), into.size()) {}

    const_buffer piece;
    bool has_ended = false;
    std::int32_t result = 0;

private:
    static void record(io::operation& done, const io::completion& outcome) noexcept {
        auto& self = static_cast<recorded_message&>(static_cast<io::message_operation&>(done));
        EXPECT_FALSE(outcome.more);
        self.has_ended = true;
        self.result = outcome.result;
    }
};

class message_test : public backend_test {
protected:
    int run_message(recorded_message& requested) {
        backend().submit(requested);
        turn_until([&] { return requested.has_ended; });
        return requested.result;
    }

    struct datagrams {
        int descriptor = -1;
        endpoint at;
    };
    datagrams open(const endpoint& at = endpoint::loopback_ipv4(0)) {
        datagrams made;
        made.descriptor = backend().system().sockets->open_datagram_socket(at.address_family());
        EXPECT_EQ(backend().system().sockets->bind(made.descriptor, at), 0);
        EXPECT_EQ(backend().system().sockets->local_endpoint(made.descriptor, made.at), 0);
        return made;
    }
    struct pair {
        int first = -1;
        int second = -1;
    };
    pair open_pair(io::socket_kind kind) {
        pair made;
        EXPECT_EQ(backend().system().sockets->open_local_pair(kind, made.first, made.second), 0);
        return made;
    }
    void close(pair ends) {
        backend().close(ends.first);
        backend().close(ends.second);
    }
};

TEST_F(message_test, a_datagram_says_where_it_comes_from) {
    if (!test::has_ipv6())
        GTEST_SKIP() << test::needs_ipv6;
    for (const endpoint& at : {endpoint::loopback_ipv4(0), endpoint::loopback_ipv6(0)}) {
        const datagrams here = open(at);
        datagrams there = open(at);
        recorded_message sending(here.descriptor, "question");
        sending.reported.peer = &there.at;
        EXPECT_EQ(run_message(sending), 8);
        std::string into(16, '\0');
        endpoint from;
        recorded_message receiving(there.descriptor, into);
        receiving.reported.peer = &from;
        EXPECT_EQ(run_message(receiving), 8);
        EXPECT_EQ(into.substr(0, 8), "question");
        EXPECT_EQ(from, here.at);
        EXPECT_FALSE(receiving.reported.is_truncated);
        backend().close(here.descriptor);
        backend().close(there.descriptor);
    }
}

TEST_F(message_test, a_receive_waits_for_the_datagram) {
    const datagrams here = open();
    datagrams there = open();
    std::string into(16, '\0');
    recorded_message receiving(there.descriptor, into);
    backend().submit(receiving);
    for (int turns = 0; turns < 3; ++turns)
        backend().turn(duration::zero());
    EXPECT_FALSE(receiving.has_ended);
    recorded_message sending(here.descriptor, "late");
    sending.reported.peer = &there.at;
    EXPECT_EQ(run_message(sending), 4);
    turn_until([&] { return receiving.has_ended; });
    EXPECT_EQ(receiving.result, 4);
    backend().close(here.descriptor);
    backend().close(there.descriptor);
}

TEST_F(message_test, a_datagram_that_does_not_fit_says_so_and_an_empty_one_is_one) {
    const datagrams here = open();
    datagrams there = open();
    for (const std::string_view text : {std::string_view("longer than the room"), std::string_view()}) {
        recorded_message sending(here.descriptor, text);
        sending.reported.peer = &there.at;
        EXPECT_EQ(run_message(sending), static_cast<int>(text.size()));
        std::string into(6, '\0');
        recorded_message receiving(there.descriptor, into);
        EXPECT_EQ(run_message(receiving), static_cast<int>(std::min<std::size_t>(text.size(), 6)));
        EXPECT_EQ(receiving.reported.is_truncated, text.size() > 6);
    }
    backend().close(here.descriptor);
    backend().close(there.descriptor);
}

TEST_F(message_test, several_buffers_are_one_datagram) {
    const pair ends = open_pair(io::socket_kind::datagram);
    const std::array<const_buffer, 3> pieces{const_buffer("one "), const_buffer(), const_buffer("two")};
    recorded_message sending(ends.first, "");
    sending.reported.buffers = pieces;
    EXPECT_EQ(run_message(sending), 7);
    std::string front(2, '\0');
    std::string rest(16, '\0');
    const std::array<const_buffer, 2> room{const_buffer(front), const_buffer(rest)};
    recorded_message receiving(ends.second, rest);
    receiving.reported.buffers = room;
    EXPECT_EQ(run_message(receiving), 7);
    EXPECT_EQ(front + rest.substr(0, 5), "one two");
    close(ends);
}

TEST_F(message_test, descriptors_go_with_the_bytes_and_are_the_receivers_own) {
    const pair ends = open_pair(io::socket_kind::stream);
    std::array<int, 2> pipe{};
    ASSERT_EQ(::pipe(pipe.data()), 0);
    recorded_message sending(ends.first, "x");
    sending.reported.descriptors = std::span(&pipe[1], 1);
    EXPECT_EQ(run_message(sending), 1);
    ::close(pipe[1]);

    std::string into(4, '\0');
    std::array<int, 4> room{-1, -1, -1, -1};
    recorded_message receiving(ends.second, into);
    receiving.reported.descriptors = room;
    EXPECT_EQ(run_message(receiving), 1);
    ASSERT_EQ(receiving.reported.descriptors_received, 1U);
    EXPECT_NE(::fcntl(room[0], F_GETFD) & FD_CLOEXEC, 0) << "programs that are started would inherit it";
    EXPECT_EQ(::write(room[0], "y", 1), 1);
    char byte = 0;
    EXPECT_EQ(::read(pipe[0], &byte, 1), 1);
    EXPECT_EQ(byte, 'y');
    ::close(room[0]);
    EXPECT_EQ(::read(pipe[0], &byte, 1), 0) << "somebody else still has the other end";
    ::close(pipe[0]);
    close(ends);
}

TEST_F(message_test, descriptors_without_room_are_closed) {
    for (const std::size_t places : {std::size_t{0}, std::size_t{1}}) {
        const pair ends = open_pair(io::socket_kind::stream);
        std::array<int, 2> pipe{};
        ASSERT_EQ(::pipe(pipe.data()), 0);
        std::array<int, 3> passed{pipe[1], pipe[1], pipe[1]};
        recorded_message sending(ends.first, "x");
        sending.reported.descriptors = passed;
        EXPECT_EQ(run_message(sending), 1);
        ::close(pipe[1]);

        std::string into(4, '\0');
        std::array<int, 1> room{-1};
        recorded_message receiving(ends.second, into);
        receiving.reported.descriptors = std::span(room).first(places);
        EXPECT_EQ(run_message(receiving), 1);
        EXPECT_TRUE(receiving.reported.are_descriptors_lost);
        EXPECT_EQ(receiving.reported.descriptors_received, places);
        if (places != 0)
            ::close(room[0]);
        char byte = 0;
        ::fcntl(pipe[0], F_SETFL, O_NONBLOCK);
        EXPECT_EQ(::read(pipe[0], &byte, 1), 0) << "one of them is still open";
        ::close(pipe[0]);
        close(ends);
    }
}

TEST_F(message_test, credentials_come_where_they_are_asked_for) {
    const pair ends = open_pair(io::socket_kind::datagram);
    EXPECT_EQ(backend().system().sockets->set_option(ends.second, io::socket_option::pass_credentials, 1), 0);
    recorded_message sending(ends.first, "x");
    EXPECT_EQ(run_message(sending), 1);
    std::string into(4, '\0');
    recorded_message receiving(ends.second, into);
    receiving.reported.wants_credentials = true;
    EXPECT_EQ(run_message(receiving), 1);
    const peer_credentials ours{::getpid(), ::getuid(), ::getgid()};
    EXPECT_EQ(receiving.reported.credentials, ours);
    close(ends);
}

TEST_F(message_test, segments_are_sent_as_datagrams_and_put_together_again) {
    const datagrams here = open();
    datagrams there = open();
    ASSERT_EQ(
        backend().system().sockets->set_option(there.descriptor, io::socket_option::receive_segments, 1), 0);
    const std::string text = numbered_text(250);
    recorded_message sending(here.descriptor, text);
    sending.reported.peer = &there.at;
    sending.reported.segment_bytes = 100;
    EXPECT_EQ(run_message(sending), 250);
    std::string received;
    while (received.size() < text.size()) {
        std::string into(1000, '\0');
        recorded_message receiving(there.descriptor, into);
        receiving.reported.wants_segments = true;
        const int size = run_message(receiving);
        ASSERT_GT(size, 0);
        EXPECT_TRUE(size <= 100 || receiving.reported.segment_bytes_received == 100) << size;
        received += into.substr(0, static_cast<std::size_t>(size));
    }
    EXPECT_EQ(received, text);
    backend().close(here.descriptor);
    backend().close(there.descriptor);
}

TEST_F(message_test, a_receive_that_is_withdrawn_takes_nothing_or_tells_what_it_took) {
    for (int turns = 0; turns < 4; ++turns) {
        const pair ends = open_pair(io::socket_kind::datagram);
        std::array<int, 2> pipe{};
        ASSERT_EQ(::pipe(pipe.data()), 0);
        std::string into(8, '\0');
        std::array<int, 1> room{-1};
        recorded_message receiving(ends.second, into);
        receiving.reported.descriptors = room;
        backend().submit(receiving);
        for (int count = 0; count < turns % 2; ++count)
            backend().turn(duration::zero());
        recorded_message sending(ends.first, "x");
        sending.reported.descriptors = std::span(&pipe[1], 1);
        EXPECT_EQ(run_message(sending), 1);
        if (!receiving.is_idle())
            receiving.result = backend().withdraw(receiving);
        if (receiving.result < 0) {
            EXPECT_EQ(receiving.result, -ECANCELED);
            EXPECT_EQ(receiving.reported.descriptors_received, 0U);
            recorded_message again(ends.second, into);
            again.reported.descriptors = room;
            EXPECT_EQ(run_message(again), 1);
        }
        EXPECT_EQ(into[0], 'x');
        EXPECT_GE(::fcntl(room[0], F_GETFD), 0);
        ::close(room[0]);
        ::close(pipe[0]);
        ::close(pipe[1]);
        close(ends);
    }
}

TEST_F(message_test, a_full_local_peer_is_no_wait) {
    const int receiver = backend().system().sockets->open_local_socket(io::socket_kind::datagram);
    ASSERT_EQ(backend().system().sockets->bind_local(receiver, local_endpoint(), -1), 0);
    local_endpoint at;
    ASSERT_EQ(backend().system().sockets->local_name(receiver, at), 0);
    EXPECT_EQ(at.kind(), local_endpoint::naming::abstract);
    const int sender = backend().system().sockets->open_local_socket(io::socket_kind::datagram);
    int result = 0;
    for (int count = 0; count < 10'000 && result >= 0; ++count) {
        recorded_message sending(sender, "x");
        sending.reported.local_peer = &at;
        result = run_message(sending);
    }
    EXPECT_EQ(result, -EAGAIN);
    backend().close(sender);
    backend().close(receiver);
}

TEST_F(message_test, batches_take_what_is_there_and_never_wait) {
    const datagrams here = open();
    datagrams there = open();
    std::array<std::string, 4> texts{"a", "bb", "ccc", "dddd"};
    std::array<const_buffer, 4> pieces;
    std::array<io::message, 4> sent;
    for (std::size_t place = 0; place < texts.size(); ++place) {
        pieces[place] = const_buffer(texts[place]);
        sent[place].buffers = std::span(&pieces[place], 1);
        sent[place].peer = &there.at;
    }
    EXPECT_EQ(backend().system().sockets->receive_messages(there.descriptor, sent), -EAGAIN);
    EXPECT_EQ(backend().system().sockets->send_messages(here.descriptor, sent), 4);
    std::array<std::string, 8> rooms;
    std::array<const_buffer, 8> memory;
    std::array<endpoint, 8> froms;
    std::array<io::message, 8> received;
    for (std::size_t place = 0; place < rooms.size(); ++place) {
        rooms[place].resize(3);
        memory[place] = const_buffer(rooms[place]);
        received[place].buffers = std::span(&memory[place], 1);
        received[place].peer = &froms[place];
    }
    ASSERT_EQ(backend().system().sockets->receive_messages(there.descriptor, received), 4);
    for (std::size_t place = 0; place < texts.size(); ++place) {
        EXPECT_EQ(received[place].transferred, std::min<std::size_t>(texts[place].size(), 3));
        EXPECT_EQ(received[place].is_truncated, texts[place].size() > 3);
        EXPECT_EQ(froms[place], here.at);
    }
    backend().close(here.descriptor);
    backend().close(there.descriptor);
}

}  // namespace
}  // namespace eddy::testing::message_test
