#include "driver/scenario.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

using bench::configuration;
using bench::scenario;

const scenario pinned{"pinned", "", {{bench::service::echo, 128}, {bench::service::echo, 1024}}, {1, 50}};
const scenario threaded{"threaded", "", {{bench::service::echo, 128}}, {32}, {1, 2, 16}};

TEST(scenario, without_threads_the_server_has_one_and_a_core_of_its_own) {
    const std::vector<configuration> all = configurations_of(pinned, {});
    ASSERT_EQ(all.size(), 4u);
    for (const configuration& each : all) {
        EXPECT_EQ(each.threads, 1u);
        EXPECT_FALSE(each.shares_cores);
    }
    EXPECT_EQ(text_of(all.front()), "pinned, 128 B, 1 connection");
}

TEST(scenario, each_number_of_threads_is_a_configuration_and_shares_cores) {
    const std::vector<configuration> all = configurations_of(threaded, {});
    ASSERT_EQ(all.size(), 3u);
    EXPECT_TRUE(all.front().shares_cores);
    EXPECT_EQ(text_of(all.back()), "threaded, 128 B, 32 connections, 16 threads");
}

TEST(scenario, a_selection_cuts_each_dimension) {
    EXPECT_EQ(configurations_of(pinned, {.sizes = {1024}, .connections = {50}, .threads = {}}).size(), 1u);
    EXPECT_EQ(configurations_of(pinned, {.sizes = {}, .connections = {}, .threads = {2}}).size(), 0u);
    EXPECT_EQ(configurations_of(threaded, {.sizes = {}, .connections = {}, .threads = {2, 16}}).size(), 2u);
}

}  // namespace
