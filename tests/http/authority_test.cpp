#include <eddy/http/message/detail/authority.hpp>

#include <gtest/gtest.h>

#include <string_view>

namespace eddy::http::authority_test {
namespace {

TEST(authority, host_and_port_are_told_apart) {
    const auto with_port = parse_authority("example.com:8080");
    ASSERT_TRUE(with_port);
    EXPECT_EQ(with_port->host(), "example.com");
    EXPECT_EQ(with_port->port(), 8080);

    const auto without = parse_authority("example.com");
    ASSERT_TRUE(without);
    EXPECT_EQ(without->host(), "example.com");
    EXPECT_EQ(without->port(), std::nullopt);

    const auto empty_port = parse_authority("example.com:");
    ASSERT_TRUE(empty_port);
    EXPECT_EQ(empty_port->port(), std::nullopt);

    const auto escaped = parse_authority("a%62c.d%2De:80");
    ASSERT_TRUE(escaped);
    EXPECT_EQ(escaped->host(), "a%62c.d%2De");
    EXPECT_EQ(escaped->port(), 80);

    const auto ipv6 = parse_authority("[2001:db8::1]:443");
    ASSERT_TRUE(ipv6);
    EXPECT_EQ(ipv6->host(), "[2001:db8::1]");
    EXPECT_EQ(ipv6->port(), 443);
}

TEST(authority, what_the_grammar_does_not_allow_is_none) {
    for (std::string_view text :
         {"",       ":",   ":80",  "a:b",  "a:-1", "a:65536", "a:000080",    "a:80:80", "a b",
          "user@a", "a/",  "[::1", "::1",  "[]",   "[::1]80", "[::1]]",      "[g::]",   "[1.2.3.4]",
          "a%",     "a%4", "a%4g", "\x80", "a\"b", "a\\b",    "[::1%25eth0]"}) {
        EXPECT_FALSE(parse_authority(text)) << text;
    }
}

}  // namespace
}  // namespace eddy::http::authority_test
