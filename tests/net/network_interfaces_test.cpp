#include "support/run_bounded.hpp"

#include <eddy/net/network_interfaces.hpp>
#include <eddy/net/udp_socket.hpp>
#include <eddy/runtime/runtime.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace eddy::network_interfaces_test {
namespace {

TEST(network_interfaces, name_the_loopback_with_its_address) {
    const auto all = network_interfaces();
    const auto loopback = std::ranges::find_if(all, &io::network_interface::is_loopback);
    ASSERT_NE(loopback, all.end());
    EXPECT_TRUE(loopback->is_up);
    EXPECT_EQ(std::ranges::count(loopback->addresses, endpoint::loopback_ipv4(0)), 1);
}

task<> compare_indices() {
    for (const io::network_interface& each : network_interfaces())
        EXPECT_EQ(each.index, interface_index(each.name.c_str())) << each.name;
    co_return;
}

TEST(network_interfaces, have_the_indices_that_sockets_know) {
    test::run_bounded(compare_indices());
}

TEST(network_interfaces, are_listed_once_each) {
    std::set<std::string> names;
    for (const io::network_interface& each : network_interfaces())
        EXPECT_TRUE(names.insert(each.name).second) << each.name;
    EXPECT_FALSE(names.empty());
}

}  // namespace
}  // namespace eddy::network_interfaces_test
