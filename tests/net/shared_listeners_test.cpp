#include "support/ipv6.hpp"
#include "support/run_bounded.hpp"

#include <eddy/net/shared_listeners.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/runtime/runtime.hpp>

#include <gtest/gtest.h>

#include <system_error>

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

}  // namespace
}  // namespace eddy::shared_listeners_test
