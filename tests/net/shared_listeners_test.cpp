#include "support/ipv6.hpp"
#include "support/run_bounded.hpp"

#include <eddy/net/shared_listeners.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/net/tcp_stream.hpp>
#include <eddy/runtime/runtime.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <sys/socket.h>
#include <system_error>
#include <utility>

namespace eddy::shared_listeners_test {
namespace {

// It would share its port.
tcp_listener listener_for_ipv4() {
    return tcp_listener::bind(endpoint::any_ipv4(0), listen_options().reuse_port(true));
}

TEST(shared_listeners, of_both_families_fail_where_the_port_is_taken_for_one) {
    if (!test::has_ipv6())
        GTEST_SKIP() << test::needs_ipv6;
    const auto main = []() -> task<> {
        const tcp_listener taken = listener_for_ipv4();
        shared_listeners both(1);
        try {
            both.open(endpoint::any_ipv6(taken.local_endpoint().port()), listen_options().ipv6_only(false));
            ADD_FAILURE() << "shared the port";
        } catch (const std::system_error& caught) {
            EXPECT_EQ(caught.code(), std::errc::address_in_use);
        }
        co_return;
    };
    test::run_bounded(main());
}

TEST(shared_listeners, of_ipv6_only_leave_the_port_to_the_other_family) {
    if (!test::has_ipv6())
        GTEST_SKIP() << test::needs_ipv6;
    const auto main = []() -> task<> {
        const tcp_listener other = listener_for_ipv4();
        const endpoint wanted = endpoint::any_ipv6(other.local_endpoint().port());
        shared_listeners opened(1);
        opened.open(wanted);
        EXPECT_EQ(opened.take(0).local_endpoint(), wanted);
        co_return;
    };
    test::run_bounded(main());
}

TEST(shared_listeners, that_adopt_a_socket_take_their_clients_from_it_together) {
    const auto main = []() -> task<> {
        io::plain_descriptor inherited = tcp_listener::bind(endpoint::loopback_ipv4(0)).release();
        constexpr std::size_t count = 3;
        shared_listeners opened(count);
        opened.adopt(std::move(inherited));
        for (std::size_t at = 0; at < count; ++at) {
            tcp_listener one = opened.take(at);
            EXPECT_EQ(one.local_endpoint(), opened.where());
            tcp_stream client = co_await tcp_stream::connect(opened.where());
            const tcp_stream server = co_await one.accept();
            EXPECT_EQ(server.remote_endpoint(), client.local_endpoint());
        }
    };
    test::run_bounded(main());
}

TEST(shared_listeners, refuse_a_socket_that_does_not_listen) {
    const auto main = []() -> task<> {
        shared_listeners opened(1);
        io::plain_descriptor idle(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        EXPECT_THROW(opened.adopt(std::move(idle)), std::system_error);
        co_return;
    };
    test::run_bounded(main());
}

}  // namespace
}  // namespace eddy::shared_listeners_test
