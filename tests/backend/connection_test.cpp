#include "backend/backend_fixture.hpp"
#include "support/descriptor_limit.hpp"
#include "support/free_port.hpp"

#include <array>
#include <deque>
#include <fcntl.h>
#include <set>

namespace eddy::testing::connection_test {
namespace {

class connection_test : public backend_test {};

TEST_F(connection_test, connect_gives_a_connection) {
    connection made = connect();
    made.far.send("hello");
    EXPECT_EQ(receive(made.near, 5), "hello");
    backend().close(made.near);
}

TEST_F(connection_test, a_refused_connection_is_an_error) {
    const endpoint to = endpoint::loopback_ipv4(test::free_port());
    const int descriptor = backend().system().sockets->open_socket(endpoint::family::ipv4);
    recorded connecting(io::opcode::connect, descriptor, &to, sizeof(to));
    EXPECT_EQ(run(connecting), -ECONNREFUSED);
    backend().close(descriptor);
}

TEST_F(connection_test, connect_works_over_ipv6) {
    const int listening = backend().system().sockets->open_socket(endpoint::family::ipv6);
    if (backend().system().sockets->bind(listening, endpoint::loopback_ipv6(0)) != 0)
        GTEST_SKIP() << "[ipv6] no IPv6 here";
    ASSERT_EQ(backend().system().sockets->listen(listening, 4), 0);
    endpoint at;
    ASSERT_EQ(backend().system().sockets->local_endpoint(listening, at), 0);
    const int descriptor = backend().system().sockets->open_socket(endpoint::family::ipv6);
    recorded connecting(io::opcode::connect, descriptor, &at, sizeof(at));
    EXPECT_EQ(run(connecting), 0);
    endpoint reached;
    EXPECT_EQ(backend().system().sockets->remote_endpoint(descriptor, reached), 0);
    EXPECT_EQ(reached, at);
    backend().close(descriptor);
    backend().close(listening);
}

TEST_F(connection_test, accept_many_gives_every_connection) {
    if (!test::may_have_descriptors(500))
        GTEST_SKIP() << test::needs_descriptors;
    endpoint at;
    const int listening = listen(at);
    recorded accepting(io::opcode::accept_multishot, listening);
    constexpr std::size_t connections = 200;
    std::deque<peer> peers;
    for (std::size_t count = 0; count < connections; ++count)
        peers.push_back(peer::connected_to(at.port()));
    turn_until([&] {
        if (accepting.is_idle())
            backend().submit(accepting);
        return accepting.outcomes.size() >= connections;
    });
    std::set<int> descriptors;
    for (const io::completion& outcome : accepting.outcomes) {
        EXPECT_GE(outcome.result, 0);
        EXPECT_NE(::fcntl(outcome.result, F_GETFD) & FD_CLOEXEC, 0);
        descriptors.insert(outcome.result);
    }
    EXPECT_EQ(descriptors.size(), connections);
    for (const int descriptor : descriptors)
        backend().close(descriptor);
    EXPECT_EQ(cancel(accepting), -ECANCELED);
    backend().close(listening);
}

TEST_F(connection_test, accept_many_waits_for_connections_to_come) {
    endpoint at;
    const int listening = listen(at);
    recorded accepting(io::opcode::accept_multishot, listening);
    backend().submit(accepting);
    for (std::size_t count = 1; count <= 3; ++count) {
        backend().turn(duration::zero());
        EXPECT_EQ(accepting.outcomes.size(), count - 1);
        const peer arriving = peer::connected_to(at.port());
        turn_until([&] { return accepting.outcomes.size() == count; });
        backend().close(accepting.outcomes.back().result);
        if (accepting.is_idle())
            backend().submit(accepting);
    }
    EXPECT_EQ(cancel(accepting), -ECANCELED);
    backend().close(listening);
}

TEST_F(connection_test, a_connection_that_comes_after_the_cancellation_stays_for_the_next_accept) {
    endpoint at;
    const int listening = listen(at);
    recorded accepting(io::opcode::accept_multishot, listening);
    backend().submit(accepting);
    backend().turn(duration::zero());
    EXPECT_EQ(cancel(accepting), -ECANCELED);
    peer arriving = peer::connected_to(at.port());
    backend().turn(duration::zero());
    EXPECT_EQ(accepting.outcomes.size(), 1U);

    recorded again(io::opcode::accept_multishot, listening);
    backend().submit(again);
    turn_until([&] { return !again.outcomes.empty(); });
    const int accepted = again.outcomes.front().result;
    ASSERT_GE(accepted, 0);
    EXPECT_EQ(send(accepted, "late"), 4);
    EXPECT_EQ(arriving.receive(4), "late");
    backend().close(accepted);
    cancel(again);
    backend().close(listening);
}

TEST_F(connection_test, no_connection_is_lost_when_accepting_is_cancelled) {
    endpoint at;
    const int listening = listen(at);
    std::vector<int> accepted;
    std::deque<peer> peers;
    constexpr std::size_t connections = 100;
    for (std::size_t count = 0; count < connections; ++count) {
        recorded accepting(io::opcode::accept_multishot, listening);
        backend().submit(accepting);
        if (count % 2 == 0)
            backend().turn(duration::zero());
        peers.push_back(peer::connected_to(at.port()));
        if (count % 3 == 0)
            backend().turn(duration::zero());
        cancel(accepting);
        for (const io::completion& outcome : accepting.outcomes)
            if (outcome.result >= 0)
                accepted.push_back(outcome.result);
    }
    recorded accepting(io::opcode::accept_multishot, listening);
    backend().submit(accepting);
    turn_until([&] {
        if (accepting.is_idle())
            backend().submit(accepting);
        for (const io::completion& outcome : std::exchange(accepting.outcomes, {}))
            accepted.push_back(outcome.result);
        return accepted.size() >= connections;
    });
    EXPECT_EQ(accepted.size(), connections);
    EXPECT_EQ(std::set<int>(accepted.begin(), accepted.end()).size(), connections);
    for (const int descriptor : accepted)
        backend().close(descriptor);
    cancel(accepting);
    backend().close(listening);
}

TEST_F(connection_test, accept_many_on_what_does_not_listen_is_an_error) {
    const int descriptor = backend().system().sockets->open_socket(endpoint::family::ipv4);
    recorded accepting(io::opcode::accept_multishot, descriptor);
    EXPECT_EQ(run(accepting), -EINVAL);
    EXPECT_EQ(accepting.outcomes.size(), 1U);
    backend().close(descriptor);
}

TEST_F(connection_test, an_operation_on_no_descriptor_is_an_error) {
    std::array<char, 8> bytes{};
    for (const io::opcode kind :
         {io::opcode::receive, io::opcode::send, io::opcode::read, io::opcode::read_at}) {
        recorded requested(kind, -1, bytes.data(), bytes.size());
        EXPECT_EQ(run(requested), -EBADF);
    }
}

TEST_F(connection_test, shutdown_ends_the_stream_for_the_peer_but_not_the_other_way) {
    connection made = connect();
    recorded ending(io::opcode::shutdown, made.near);
    ending.size = 1;
    EXPECT_EQ(run(ending), 0);
    EXPECT_TRUE(made.far.is_at_end());
    made.far.send("still here");
    EXPECT_EQ(receive(made.near, 10), "still here");
    EXPECT_EQ(send(made.near, "no"), -EPIPE);
    backend().close(made.near);
}

}  // namespace
}  // namespace eddy::testing::connection_test
