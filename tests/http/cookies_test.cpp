#include <eddy/http/codec/detail/request_parser.hpp>
#include <eddy/http/message/cookies.hpp>

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace eddy::http::cookies_test {
namespace {

std::string seen(std::string_view field) {
    std::string out;
    while (const auto cookie = take_cookie(field)) {
        out.append("[").append(cookie->name()).append("|").append(cookie->value()).append("]");
    }
    return out;
}

TEST(cookies, are_taken_off_a_field_one_by_one) {
    EXPECT_EQ(seen("a=1; b=2;c=3"), "[a|1][b|2][c|3]");
    EXPECT_EQ(seen("SID=31d4d96e407aad42; lang=en-US"), "[SID|31d4d96e407aad42][lang|en-US]");
    EXPECT_EQ(seen("a=b=c"), "[a|b=c]");
    EXPECT_EQ(seen("a="), "[a|]");
    EXPECT_EQ(seen(""), "");
}

TEST(cookies, lose_the_quotes_around_a_value_only) {
    EXPECT_EQ(seen("a=\"x y\"; b=\"; c=x\"y"), "[a|x y][b|\"][c|x\"y]");
}

TEST(cookies, that_are_none_hide_no_others) {
    EXPECT_EQ(seen("a=1; nonsense; =x; b c=2; d=\x01; ;; e=5 "), "[a|1][e|5]");
}

TEST(request_cookies, are_found_by_name_over_several_fields) {
    const message_limits limits;
    request_parser parser(limits);
    const std::string_view text = "GET / HTTP/1.1\r\nHost: a\r\nCookie: a=1; b=2\r\nCookie: c=3; a=4\r\n\r\n";
    ASSERT_EQ(parser.parse(text).state(), parse_state::complete);
    const request_cookies cookies(parser.head(text));
    EXPECT_EQ(cookies.find("a"), "1");
    EXPECT_EQ(cookies.find("c"), "3");
    EXPECT_EQ(cookies.find("A"), std::nullopt);
    int count = 0;
    cookies.for_each([&count](const cookie_view&) { ++count; });
    EXPECT_EQ(count, 4);
}

}  // namespace
}  // namespace eddy::http::cookies_test
