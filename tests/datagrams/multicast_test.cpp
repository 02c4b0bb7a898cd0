// Multicast: who hears what is sent to a group (udp_socket's join() and its like).

#include "support/run_bounded.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/net/udp_socket.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ifaddrs.h>
#include <map>
#include <memory>
#include <net/if.h>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

namespace eddy::multicast_test {
namespace {

using namespace std::chrono_literals;
using test::run_bounded;

constexpr auto long_wait = 30s;

std::string_view text_of(std::span<const std::byte> bytes, std::size_t size) {
    return as_text(bytes.first(size));
}

/// An interface other than the loopback (which hears even what is not to be looped back) with addresses of
/// both families and multicast; 0 if this machine has none.
unsigned multicast_interface() {
    ifaddrs* all = nullptr;
    if (::getifaddrs(&all) != 0)
        return 0;
    const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owned(all, &::freeifaddrs);
    std::map<std::string, unsigned> families;
    for (const ifaddrs* at = all; at != nullptr; at = at->ifa_next) {
        constexpr unsigned wanted = IFF_UP | IFF_RUNNING | IFF_MULTICAST;
        if ((at->ifa_flags & (wanted | IFF_LOOPBACK)) != wanted || at->ifa_addr == nullptr)
            continue;
        const int family = at->ifa_addr->sa_family;
        unsigned& found = families[at->ifa_name];
        found |= (family == AF_INET ? 1U : 0U) | (family == AF_INET6 ? 2U : 0U);
        if (found == 3)
            return ::if_nametoindex(at->ifa_name);
    }
    return 0;
}

endpoint group_at(bool is_v4, std::uint8_t number, std::uint16_t port, unsigned interface) {
    return is_v4 ? endpoint::ipv4({239, 255, 77, number}, port)
                 : endpoint::ipv6({0xff, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x77, number}, port,
                                  interface);
}

/// A sender of datagrams that stay on this machine.
udp_socket multicast_sender(const endpoint& any, unsigned interface) {
    udp_socket sender = udp_socket::bind(any);
    sender.set_option(io::socket_option::multicast_interface, static_cast<int>(interface));
    sender.set_option(io::socket_option::multicast_hops_max, 0);
    EXPECT_EQ(sender.get_option(io::socket_option::multicast_hops_max), 0);
    return sender;
}

/// Sends what ends a conversation to a socket on this machine, and expects that nothing has come before it.
task<> expect_nothing_else(udp_socket& to, bool is_v4) {
    const std::uint16_t port = to.local_endpoint().port();
    const endpoint self = is_v4 ? endpoint::loopback_ipv4(port) : endpoint::loopback_ipv6(port);
    udp_socket direct = udp_socket::bind(is_v4 ? endpoint::loopback_ipv4(0) : endpoint::loopback_ipv6(0));
    co_await direct.send_to(as_bytes("end"), self);
    std::array<std::byte, 16> memory{};
    const auto last = co_await with_timeout(to.receive_from(memory), long_wait);
    EXPECT_EQ(text_of(memory, last.size), "end");
}

TEST(a_member_of_a_group, hears_a_group_that_it_has_joined_until_it_leaves) {
    if (multicast_interface() == 0)
        GTEST_SKIP() << "[multicast] no interface has both families and multicast";
    const auto main = []() -> task<> {
        const unsigned interface = multicast_interface();
        for (const bool is_v4 : {true, false}) {
            const endpoint any = is_v4 ? endpoint::any_ipv4(0) : endpoint::any_ipv6(0);
            udp_socket member = udp_socket::bind(any);
            const endpoint group = group_at(is_v4, 1, member.local_endpoint().port(), interface);
            member.join(group, interface);
            EXPECT_THROW(member.join(group, interface), std::system_error);
            udp_socket sender = multicast_sender(any, interface);
            std::array<std::byte, 16> memory{};
            co_await sender.send_to(as_bytes("all"), group);
            const auto heard = co_await with_timeout(member.receive_from(memory), long_wait);
            EXPECT_EQ(text_of(memory, heard.size), "all");

            sender.set_option(io::socket_option::multicast_loopback, 0);
            co_await sender.send_to(as_bytes("not here"), group);
            sender.set_option(io::socket_option::multicast_loopback, 1);
            co_await expect_nothing_else(member, is_v4);
            member.leave(group, interface);
            EXPECT_THROW(member.leave(group, interface), std::system_error);
            co_await sender.send_to(as_bytes("after it left"), group);
            co_await expect_nothing_else(member, is_v4);
        }
    };
    run_bounded(main());
}

TEST(a_member_of_a_group, hears_no_group_that_others_have_joined) {
    if (multicast_interface() == 0)
        GTEST_SKIP() << "[multicast] no interface has both families and multicast";
    const auto main = []() -> task<> {
        const unsigned interface = multicast_interface();
        for (const bool is_v4 : {true, false}) {
            const endpoint any = is_v4 ? endpoint::any_ipv4(0) : endpoint::any_ipv6(0);
            const auto shared = udp_options().reuse_address(true);
            udp_socket first = udp_socket::bind(any, shared);
            const std::uint16_t port = first.local_endpoint().port();
            udp_socket second =
                udp_socket::bind(is_v4 ? endpoint::any_ipv4(port) : endpoint::any_ipv6(port), shared);
            first.join(group_at(is_v4, 1, port, interface), interface);
            second.join(group_at(is_v4, 2, port, interface), interface);
            udp_socket sender = multicast_sender(any, interface);
            for (const std::uint8_t number : {std::uint8_t{1}, std::uint8_t{2}})
                co_await sender.send_to(as_bytes(number == 1 ? "one" : "two"),
                                        group_at(is_v4, number, port, interface));
            std::array<std::byte, 16> memory{};
            const auto by_first = co_await with_timeout(first.receive_from(memory), long_wait);
            EXPECT_EQ(text_of(memory, by_first.size), "one");
            const auto by_second = co_await with_timeout(second.receive_from(memory), long_wait);
            EXPECT_EQ(text_of(memory, by_second.size), "two");
            // Both have heard one of two; what comes next is a third.
            co_await sender.send_to(as_bytes("three"), group_at(is_v4, 1, port, interface));
            const auto next = co_await with_timeout(first.receive_from(memory), long_wait);
            EXPECT_EQ(text_of(memory, next.size), "three");
        }
    };
    run_bounded(main());
}

TEST(a_member_of_a_group, hears_the_sources_of_a_group_that_it_has_joined_and_no_others) {
    const auto main = []() -> task<> {
        // The whole of 127.0.0.0/8 is this machine's.
        const unsigned loopback = interface_index("lo");
        const auto source = [](std::uint8_t number) { return endpoint::ipv4({127, 0, 0, number}, 0); };
        udp_socket member = udp_socket::bind(endpoint::any_ipv4(0));
        const endpoint group = group_at(true, 3, member.local_endpoint().port(), loopback);
        const auto send_from = [&](std::uint8_t number, std::string_view text) -> task<> {
            udp_socket sender = udp_socket::bind(source(number));
            sender.set_option(io::socket_option::multicast_interface, static_cast<int>(loopback));
            co_await sender.send_to(as_bytes(text), group);
        };
        member.join_source(group, source(2), loopback);
        member.join_source(group, source(3), loopback);
        EXPECT_THROW(member.join_source(group, source(3), loopback), std::system_error);
        co_await send_from(4, "from a stranger");
        co_await send_from(3, "three");
        co_await send_from(2, "two");
        std::array<std::byte, 16> memory{};
        auto heard = co_await with_timeout(member.receive_from(memory), long_wait);
        EXPECT_EQ(text_of(memory, heard.size), "three");
        EXPECT_EQ(heard.from.address(), source(3).address());
        heard = co_await with_timeout(member.receive_from(memory), long_wait);
        EXPECT_EQ(text_of(memory, heard.size), "two");

        member.leave_source(group, source(3), loopback);
        EXPECT_THROW(member.leave_source(group, source(3), loopback), std::system_error);
        co_await send_from(3, "after it left");
        co_await send_from(2, "two again");
        heard = co_await with_timeout(member.receive_from(memory), long_wait);
        EXPECT_EQ(text_of(memory, heard.size), "two again");
    };
    run_bounded(main());
}

}  // namespace
}  // namespace eddy::multicast_test
