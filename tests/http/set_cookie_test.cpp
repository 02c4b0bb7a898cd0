#include <eddy/http/message/cookies.hpp>

#include <gtest/gtest.h>

#include <stdexcept>
#include <string_view>

namespace eddy::http::set_cookie_test {
namespace {

TEST(set_cookie, is_safe_without_being_told) {
    EXPECT_EQ(set_cookie("id", "x1").text(), "id=x1; Path=/; Secure; HttpOnly; SameSite=Lax");
}

TEST(set_cookie, says_what_it_was_told) {
    EXPECT_EQ(set_cookie("id", "x")
                  .path("/a b")
                  .domain("example.org")
                  .max_age(std::chrono::hours(1))
                  .secure(false)
                  .http_only(false)
                  .same_site(same_site::strict)
                  .text(),
              "id=x; Path=/a b; Domain=example.org; Max-Age=3600; SameSite=Strict");
    EXPECT_EQ(set_cookie::removal("id").text(), "id=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Lax");
}

TEST(set_cookie, refuses_what_would_be_read_as_something_else) {
    for (const std::string_view name : {"", "a b", "a;b", "a=b", "a\r\nX"})
        EXPECT_THROW(set_cookie(name, "x"), std::invalid_argument) << name;
    for (const std::string_view value :
         {"a b", "a;b", "a,b", "\"a\"", "a\\b", "a\r\nSet-Cookie: b", "\x7f", "\xe9"})
        EXPECT_THROW(set_cookie("id", value), std::invalid_argument) << value;
    for (const std::string_view path : {"", "a", "/;Domain=x", "/\n"})
        EXPECT_THROW(set_cookie("id", "x").path(path), std::invalid_argument) << path;
    for (const std::string_view domain : {"", "a;b", "a\rb"})
        EXPECT_THROW(set_cookie("id", "x").domain(domain), std::invalid_argument) << domain;
}

TEST(set_cookie, refuses_what_a_browser_would_drop) {
    EXPECT_THROW(static_cast<void>(set_cookie("a", "").secure(false).same_site(same_site::none).text()),
                 std::invalid_argument);
    EXPECT_THROW(static_cast<void>(set_cookie("__Secure-a", "").secure(false).text()), std::invalid_argument);
    EXPECT_THROW(static_cast<void>(set_cookie("__Host-a", "").domain("b.c").text()), std::invalid_argument);
    EXPECT_THROW(static_cast<void>(set_cookie("__Host-a", "").path("/b").text()), std::invalid_argument);
    EXPECT_EQ(set_cookie("__Host-a", "").same_site(same_site::none).text(),
              "__Host-a=; Path=/; Secure; HttpOnly; SameSite=None");
}

}  // namespace
}  // namespace eddy::http::set_cookie_test
