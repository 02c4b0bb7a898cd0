#include "support/ipv6.hpp"
#include "support/run_bounded.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/io/detail/owned_descriptor.hpp>
#include <eddy/net/connect.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/runtime/worker.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::connect_test {
namespace {

using namespace std::chrono_literals;
using test::run_bounded;

constexpr auto long_wait = 30s;

/// A port that is taken and at which nobody listens.
class silent_port {
public:
    silent_port()
        : socket_(detail::worker_core::current().backend(),
                  detail::worker_core::current().backend().system().sockets->open_socket(
                      endpoint::family::ipv4)) {
        EXPECT_EQ(socket_.backend().system().sockets->bind(socket_.get(), endpoint::loopback_ipv4(0)), 0);
        EXPECT_EQ(socket_.backend().system().sockets->local_endpoint(socket_.get(), at_), 0);
    }
    [[nodiscard]] endpoint at() const noexcept { return at_; }

private:
    detail::owned_descriptor socket_;
    endpoint at_;
};

/// A listener whose backlog is full: it answers nobody.
class deaf_listener {
public:
    deaf_listener()
        : listener_(tcp_listener::bind(endpoint::loopback_ipv4(0), listen_options().backlog(1))) {}
    task<> fill() {
        while (waiting_.size() < 2)
            waiting_.push_back(co_await tcp_stream::connect(at()));
    }
    [[nodiscard]] endpoint at() const { return listener_.local_endpoint(); }

private:
    tcp_listener listener_;
    std::vector<tcp_stream> waiting_;
};

TEST(connect, finds_a_host_by_name) {
    const auto main = []() -> task<> {
        tcp_listener listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        const std::uint16_t port = listener.local_endpoint().port();
        tcp_stream connected = co_await with_timeout(connect("localhost", port), long_wait);
        EXPECT_EQ(connected.remote_endpoint(), listener.local_endpoint());
    };
    run_bounded(main());
}

TEST(connect, goes_on_at_once_when_an_address_refuses) {
    if (!test::has_ipv6())
        GTEST_SKIP() << test::needs_ipv6;
    const auto main = []() -> task<> {
        const silent_port nobody;
        tcp_listener listener = tcp_listener::bind(endpoint::loopback_ipv6(0));
        const std::vector<endpoint> candidates{nobody.at(), nobody.at(), listener.local_endpoint()};
        auto connecting = connect_to_first(candidates, 1h);
        tcp_stream connected = co_await with_timeout(std::move(connecting), long_wait);
        EXPECT_EQ(connected.remote_endpoint(), listener.local_endpoint());
    };
    run_bounded(main());
}

TEST(connect, tries_the_next_beside_an_address_that_does_not_answer) {
    const auto main = []() -> task<> {
        deaf_listener deaf;
        co_await deaf.fill();
        tcp_listener listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        const std::vector<endpoint> candidates{deaf.at(), deaf.at(), listener.local_endpoint()};
        const auto before = clock::now();
        auto connecting = connect_to_first(candidates, 20ms);
        tcp_stream connected = co_await with_timeout(std::move(connecting), long_wait);
        EXPECT_EQ(connected.remote_endpoint(), listener.local_endpoint());
        EXPECT_GE(clock::now() - before, 40ms);
    };
    run_bounded(main());
}

TEST(connect, connects_from_where_it_is_told_to_addresses_of_that_family) {
    const auto main = []() -> task<> {
        tcp_listener listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        const auto options = connect_options().from(endpoint::ipv4({127, 0, 0, 2}, 0));
        const std::uint16_t port = listener.local_endpoint().port();
        tcp_stream by_name = co_await with_timeout(connect("localhost", port, options), long_wait);
        EXPECT_EQ(by_name.local_endpoint().address()[3], 2);
        const std::vector<endpoint> candidates{endpoint::loopback_ipv6(port), listener.local_endpoint()};
        auto connecting = connect_to_first(candidates, 1h, options);
        tcp_stream by_address = co_await with_timeout(std::move(connecting), long_wait);
        EXPECT_EQ(by_address.local_endpoint().address()[3], 2);
        const std::vector<endpoint> foreign{endpoint::loopback_ipv6(port)};
        const auto refused = co_await as_result(connect_to_first(foreign, 1h, options));
        EXPECT_EQ(refused.error(), std::errc::address_family_not_supported);
    };
    run_bounded(main());
}

TEST(connect, reports_the_first_error_when_nobody_answers) {
    const auto main = []() -> task<> {
        const silent_port nobody;
        const std::vector<endpoint> candidates{nobody.at(), nobody.at()};
        const auto refused = co_await as_result(connect_to_first(candidates, 1ms));
        EXPECT_EQ(refused.error(), std::errc::connection_refused);
    };
    run_bounded(main());
}

TEST(connect, reports_the_first_of_different_errors) {
    const auto main = []() -> task<> {
        const silent_port refusing;
        const endpoint unreachable =
            endpoint::parse("255.255.255.255", 9).value();  // no connection is broadcast
        const std::vector<endpoint> one_way{refusing.at(), unreachable};
        const auto refused = co_await as_result(connect_to_first(one_way, 1h));
        EXPECT_EQ(refused.error(), std::errc::connection_refused);
        const std::vector<endpoint> other_way{unreachable, refusing.at()};
        const auto failed = co_await as_result(connect_to_first(other_way, 1h));
        EXPECT_EQ(failed.error(), std::errc::network_unreachable);
    };
    run_bounded(main());
}

TEST(connect, drops_every_attempt_with_itself) {
    const auto main = []() -> task<> {
        deaf_listener deaf;
        co_await deaf.fill();
        for (int turns = 0; turns < 5; ++turns) {
            const std::vector<endpoint> candidates{deaf.at(), deaf.at(), deaf.at()};
            auto connecting = connect_to_first(candidates, 1ms);
            const auto late =
                co_await as_result(with_timeout(std::move(connecting), std::chrono::milliseconds(turns)));
            EXPECT_EQ(late.error(), std::errc::timed_out);
        }
    };
    run_bounded(main());
}

TEST(connect, takes_the_families_in_turns) {
    const auto v4 = [](std::uint16_t port) { return endpoint::loopback_ipv4(port); };
    const auto v6 = [](std::uint16_t port) { return endpoint::loopback_ipv6(port); };
    using list = std::vector<endpoint>;
    EXPECT_EQ(in_turns({}), list{});
    EXPECT_EQ(in_turns({v6(1), v6(2), v6(3), v4(4), v4(5)}), (list{v6(1), v4(4), v6(2), v4(5), v6(3)}));
    EXPECT_EQ(in_turns({v4(1), v6(2), v6(3)}), (list{v4(1), v6(2), v6(3)}));
    EXPECT_EQ(in_turns({v4(1), v4(2)}), (list{v4(1), v4(2)}));
}

}  // namespace
}  // namespace eddy::connect_test
