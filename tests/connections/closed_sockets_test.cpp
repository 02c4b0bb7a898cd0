// What a socket had, its port, its name and its descriptor, is free when it is gone.

#include "support/run_bounded.hpp"
#include "support/stream_pair.hpp"
#include "support/turns.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/net/local_listener.hpp>
#include <eddy/net/local_stream.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/net/udp_socket.hpp>
#include <eddy/os/pipe.hpp>

#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <cstdint>
#include <netinet/in.h>
#include <optional>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace eddy::closed_sockets_test {
namespace {

using test::run_bounded;

/// Whether another program could bind to a port, without saying SO_REUSEADDR.
bool is_free(std::uint16_t port, int kind) {
    const int probe = ::socket(AF_INET, kind | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    const int result = ::bind(probe, reinterpret_cast<const sockaddr*>(&address), sizeof(address));
    ::close(probe);
    return result == 0;
}

/// Leaves this process so many descriptors at the most, while it lives.
class few_descriptors {
public:
    explicit few_descriptors(int count) {
        ::getrlimit(RLIMIT_NOFILE, &before_);
        const int next = ::dup(0);
        ::close(next);
        rlimit lowered = before_;
        lowered.rlim_cur = static_cast<rlim_t>(next + count);
        ::setrlimit(RLIMIT_NOFILE, &lowered);
    }
    few_descriptors(const few_descriptors&) = delete;
    few_descriptors& operator=(const few_descriptors&) = delete;
    ~few_descriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }

private:
    rlimit before_{};
};

constexpr int few = 12;

task<> accept_one(tcp_listener& listener) {
    static_cast<void>(co_await listener.accept());
}

TEST(a_closed_listener, has_left_its_port) {
    run_bounded([]() -> task<> {
        std::optional listener(tcp_listener::bind(endpoint::loopback_ipv4(0)));
        const std::uint16_t port = listener->local_endpoint().port();
        {
            const auto accepting = spawn(accept_one(*listener));
            co_await test::turns(2);
        }
        EXPECT_FALSE(is_free(port, SOCK_STREAM));
        listener.reset();
        EXPECT_TRUE(is_free(port, SOCK_STREAM));
        for (int round = 0; round < 3; ++round) {
            tcp_listener next = tcp_listener::bind(endpoint::loopback_ipv4(port));
            next.close();
            EXPECT_TRUE(is_free(port, SOCK_STREAM));
        }
    }());
}

TEST(a_closed_listener, has_left_its_name) {
    run_bounded([]() -> task<> {
        const auto name = local_endpoint::abstract("eddy-test-" + std::to_string(::getpid()));
        for (int round = 0; round < 3; ++round)
            static_cast<void>(local_listener::bind(name));
        co_return;
    }());
}

TEST(a_closed_datagram_socket, has_left_its_port_and_its_name) {
    run_bounded([]() -> task<> {
        std::optional socket(udp_socket::bind(endpoint::loopback_ipv4(0)));
        const endpoint at = socket->local_endpoint();
        EXPECT_FALSE(is_free(at.port(), SOCK_DGRAM));
        socket.reset();
        EXPECT_TRUE(is_free(at.port(), SOCK_DGRAM));
        for (int round = 0; round < 3; ++round)
            static_cast<void>(udp_socket::bind(at));
        co_return;
    }());
}

TEST(closed_sockets, leave_their_descriptors_to_those_that_come_next) {
    run_bounded([]() -> task<> {
        const few_descriptors limit(few);
        for (int round = 0; round < 3 * few; ++round) {
            static_cast<void>(socket_pair());
            static_cast<void>(datagram_pair());
            static_cast<void>(pipe());
            static_cast<void>(udp_socket::bind(endpoint::loopback_ipv4(0)));
            static_cast<void>(tcp_listener::bind(endpoint::loopback_ipv4(0)));
        }
        co_return;
    }());
}

TEST(closed_sockets, leave_their_descriptors_to_the_connections_that_come_next) {
    run_bounded([]() -> task<> {
        tcp_listener listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        const few_descriptors limit(few);
        for (int round = 0; round < 3 * few; ++round) {
            tcp_stream client = co_await tcp_stream::connect(listener.local_endpoint());
            tcp_stream server = co_await listener.accept();
        }
    }());
}

}  // namespace
}  // namespace eddy::closed_sockets_test
