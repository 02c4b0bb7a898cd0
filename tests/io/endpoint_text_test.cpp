#include <eddy/io/detail/endpoint_text.hpp>

#include <gtest/gtest.h>

#include <string_view>

namespace eddy::endpoint_text_test {
namespace {

using eddy::detail::endpoint_from_text;
using eddy::detail::port_from_text;

TEST(endpoint_text, an_endpoint_is_what_its_own_text_says) {
    for (const std::string_view text : {"0.0.0.0:0", "10.0.0.1:80", "[::1]:65535", "[fe80::1%2]:1"}) {
        const auto read = endpoint_from_text(text);
        ASSERT_TRUE(read) << text << ": " << read.error();
        EXPECT_EQ(read->to_string(), text);
    }
}

TEST(endpoint_text, what_is_none_is_refused_with_the_reason) {
    for (const std::string_view text : {"", "10.0.0.1"})
        EXPECT_EQ(endpoint_from_text(text).error(), "an address without a port") << text;
    for (const std::string_view text :
         {"10.0.0.1:", "10.0.0.1:x", "10.0.0.1:1x", "10.0.0.1:-1", "10.0.0.1:+1", "10.0.0.1: 1",
          "10.0.0.1:65536", "10.0.0.1:4294967376", "[::1]"})
        EXPECT_EQ(endpoint_from_text(text).error(), "the port is no number up to 65535") << text;
    for (const std::string_view text : {":80", "localhost:80", "10.0.0:80", "[::1:80"})
        EXPECT_EQ(endpoint_from_text(text).error(), "the address is not numeric") << text;
}

TEST(endpoint_text, a_port_ends_at_65535) {
    EXPECT_EQ(port_from_text("0"), 0);
    EXPECT_EQ(port_from_text("65535"), 65535);
    EXPECT_FALSE(port_from_text("65536"));
    EXPECT_FALSE(port_from_text(""));
}

}  // namespace
}  // namespace eddy::endpoint_text_test
