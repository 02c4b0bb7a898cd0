#include <eddy/http/client/cookie_jar.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace eddy::http::cookie_jar_test {
namespace {

using namespace std::string_literals;

constexpr std::int64_t now = 1'700'000'000;  // Tue, 14 Nov 2023 22:13:20 GMT

/// What is sent to `to` after `from` has set the cookie.
std::string sent(std::string_view from, std::string_view set_cookie, std::string_view to,
                 std::int64_t at = now) {
    cookie_jar jar;
    jar.set(url(from), set_cookie, now);
    return jar.header_for(url(to), at);
}

TEST(cookie_jar, gives_a_cookie_to_its_host) {
    EXPECT_EQ(sent("http://a.test/", "a=b", "http://a.test/x"), "a=b");
    EXPECT_EQ(sent("http://a.test/", "a=b", "http://b.test/"), "");
    EXPECT_EQ(sent("http://a.test/", "a=b", "http://x.a.test/"), "") << "for this host alone";
    EXPECT_EQ(sent("http://a.test/", "a=b=c; x", "http://a.test/"), "a=b=c");
    EXPECT_EQ(sent("http://a.test/", " a = \"b c\" ;", "http://a.test/"), "a=\"b c\"");
    EXPECT_EQ(sent("http://a.test/", "a=", "http://a.test/"), "a=");
    EXPECT_EQ(sent("http://a.test/", "a", "http://a.test/"), "a") << "a value without a name";
    EXPECT_EQ(sent("http://a.test/", "=b=c", "http://a.test/"), "b=c");
    for (const std::string& malformed : {"="s, ""s, ";a=b"s, "a=b\r\nc"s, "a=\0"s, "a=b;\x01"s})
        EXPECT_EQ(sent("http://a.test/", malformed, "http://a.test/"), "") << malformed;
}

TEST(cookie_jar, keeps_to_domains) {
    EXPECT_EQ(sent("http://x.a.test/", "a=b; Domain=a.test", "http://y.a.test/"), "a=b");
    EXPECT_EQ(sent("http://x.a.test/", "a=b; Domain=.A.test", "http://a.test/"), "a=b");
    EXPECT_EQ(sent("http://x.a.test/", "a=b; Domain=a.test", "http://xa.test/"), "");
    EXPECT_EQ(sent("http://a.test/", "a=b; Domain=x.a.test", "http://x.a.test/"), "") << "below the host";
    EXPECT_EQ(sent("http://a.test/", "a=b; Domain=b.test", "http://b.test/"), "");
    EXPECT_EQ(sent("http://a.test/", "a=b; Domain=test", "http://b.test/"), "") << "a top-level domain";
    EXPECT_EQ(sent("http://localhost/", "a=b; Domain=localhost", "http://localhost/"), "a=b");
    EXPECT_EQ(sent("http://localhost/", "a=b; Domain=localhost", "http://x.localhost/"), "");
    EXPECT_EQ(sent("http://1.2.3.4/", "a=b; Domain=3.4", "http://9.9.3.4/"), "");
    EXPECT_EQ(sent("http://1.2.3.4/", "a=b; Domain=1.2.3.4", "http://1.2.3.4/"), "a=b");
    EXPECT_EQ(sent("http://[::1]/", "a=b", "http://[::1]:8080/"), "a=b") << "ports do not matter";
}

TEST(cookie_jar, keeps_to_paths) {
    EXPECT_EQ(sent("http://a.test/x/y", "a=b", "http://a.test/x/z"), "a=b") << "the directory of the path";
    EXPECT_EQ(sent("http://a.test/x/y", "a=b", "http://a.test/xz"), "");
    EXPECT_EQ(sent("http://a.test/", "a=b; Path=/x", "http://a.test/x"), "a=b");
    EXPECT_EQ(sent("http://a.test/", "a=b; Path=/x", "http://a.test/x/y"), "a=b");
    EXPECT_EQ(sent("http://a.test/", "a=b; Path=/x", "http://a.test/xy"), "");
    EXPECT_EQ(sent("http://a.test/", "a=b; Path=x", "http://a.test/y"), "a=b") << "no path: the default";
    cookie_jar jar;
    for (const char* each : {"a=1; Path=/", "b=2; Path=/x", "c=3; Path=/"})
        jar.set(url("http://a.test/"), each, now);
    EXPECT_EQ(jar.header_for(url("http://a.test/x"), now), "b=2; a=1; c=3")
        << "longer paths, then older ones first";
}

TEST(cookie_jar, keeps_secrets_on_secure_connections) {
    EXPECT_EQ(sent("https://a.test/", "a=b; Secure", "http://a.test/"), "");
    EXPECT_EQ(sent("https://a.test/", "a=b; Secure; HttpOnly", "https://a.test/"), "a=b");
    EXPECT_EQ(sent("http://a.test/", "a=b; Secure", "https://a.test/"), "") << "set by who cannot";
    EXPECT_EQ(sent("https://a.test/", "__Secure-a=b", "https://a.test/"), "");
    EXPECT_EQ(sent("https://a.test/", "__Secure-a=b; Secure", "https://a.test/"), "__Secure-a=b");
    EXPECT_EQ(sent("https://a.test/", "__Host-a=b; Secure", "https://a.test/"), "");
    EXPECT_EQ(sent("https://a.test/", "__Host-a=b; Secure; Path=/", "https://a.test/"), "__Host-a=b");
    EXPECT_EQ(sent("https://x.a.test/", "__host-a=b; Secure; Path=/; Domain=a.test", "https://a.test/"), "");
    cookie_jar jar;
    jar.set(url("https://a.test/"), "a=b; Secure", now);
    EXPECT_FALSE(jar.set(url("http://a.test/"), "a=c", now));
    EXPECT_EQ(jar.header_for(url("https://a.test/"), now), "a=b");
}

// RFC 6265bis section 5.7, step 16.
TEST(cookie_jar, lets_no_plain_connection_hide_what_is_secure) {
    const auto is_taken = [](const char* secure, std::string_view from, const char* plain) {
        cookie_jar jar;
        EXPECT_TRUE(jar.set(url("https://x.a.test/p/q"), secure, now));
        return jar.set(url(from), plain, now);
    };
    EXPECT_FALSE(is_taken("a=b; Secure; Path=/", "http://x.a.test/", "a=c; Path=/"));
    EXPECT_FALSE(is_taken("a=b; Secure; Path=/", "http://x.a.test/", "a=c; Path=/deeper"));
    EXPECT_FALSE(is_taken("a=b; Secure; Path=/", "http://x.a.test/", "a=c; Path=/; Domain=a.test"));
    EXPECT_FALSE(is_taken("a=b; Secure; Path=/; Domain=a.test", "http://y.x.a.test/", "a=c; Path=/"));
    EXPECT_FALSE(is_taken("a=b; Secure; Path=/", "http://x.a.test/", "a=; Path=/; Max-Age=0"));
    EXPECT_TRUE(is_taken("a=b; Secure; Path=/p", "http://x.a.test/", "a=c; Path=/"));
    EXPECT_TRUE(is_taken("a=b; Secure; Path=/", "http://x.a.test/", "b=c; Path=/"));
    EXPECT_TRUE(is_taken("a=b; Secure; Path=/", "http://y.a.test/", "a=c; Path=/"));
    EXPECT_TRUE(is_taken("a=b; Path=/", "http://x.a.test/", "a=c; Path=/"));
    EXPECT_TRUE(is_taken("a=b; Secure; Path=/", "https://x.a.test/", "a=c; Path=/"));
}

TEST(cookie_jar, takes_what_is_for_any_site_by_secure_connections_only) {
    EXPECT_EQ(sent("https://a.test/", "a=b; SameSite=None; Secure", "https://a.test/"), "a=b");
    EXPECT_EQ(sent("https://a.test/", "a=b; samesite=NONE", "https://a.test/"), "");
    for (const char* each :
         {"a=b; SameSite=Lax", "a=b; SameSite=Strict", "a=b; SameSite=None; SameSite=x", "a=b"})
        EXPECT_EQ(sent("http://a.test/", each, "http://a.test/"), "a=b") << each;
}

TEST(cookie_jar, knows_prefixes_in_any_case_and_without_a_name) {
    for (const char* each :
         {"__SECURE-a=b", "__sEcUrE-a=b", "=__Secure-a=b", "__Secure-a", "=__host-a=b", "__HOST-a=b; Secure",
          "__Host-a=b; Secure; Path=/x", "__Host-a=b; Secure; Path="})
        EXPECT_EQ(sent("https://a.test/", each, "https://a.test/"), "") << each;
}

TEST(cookie_jar, takes_the_last_domain) {
    EXPECT_EQ(sent("http://x.a.test/", "a=b; Domain=b.test; Domain=a.test", "http://a.test/"), "a=b");
    EXPECT_EQ(sent("http://x.a.test/", "a=b; Domain=a.test; Domain=", "http://a.test/"), "");
    EXPECT_EQ(sent("http://x.a.test/", "a=b; Domain=b.test; Domain=", "http://x.a.test/"), "a=b");
    EXPECT_EQ(sent("http://a.test/", "a=b; Path=/" + std::string(1024, 'x'), "http://a.test/"), "a=b")
        << "an attribute that is too long is none";
    cookie_jar jar;
    EXPECT_TRUE(jar.set(url("http://x.a.test/"), "a=1; Domain=x.a.test", now));
    EXPECT_TRUE(jar.set(url("http://x.a.test/"), "a=2", now));
    EXPECT_EQ(jar.header_for(url("http://x.a.test/"), now), "a=1; a=2") << "one is for this host alone";
}

TEST(cookie_jar, lets_cookies_expire) {
    EXPECT_EQ(sent("http://a.test/", "a=b; Max-Age=10", "http://a.test/", now + 9), "a=b");
    EXPECT_EQ(sent("http://a.test/", "a=b; Max-Age=10", "http://a.test/", now + 10), "");
    EXPECT_EQ(sent("http://a.test/", "a=b; Max-Age=0", "http://a.test/"), "");
    EXPECT_EQ(sent("http://a.test/", "a=b; Max-Age=x", "http://a.test/", now + (1 << 20)), "a=b");
    EXPECT_EQ(sent("http://a.test/", "a=b; Max-Age=99999999999999999999", "http://a.test/", now + (1 << 20)),
              "a=b");
    EXPECT_EQ(sent("http://a.test/", "a=b; Expires=Tue, 14 Nov 2023 22:13:21 GMT", "http://a.test/"), "a=b");
    EXPECT_EQ(sent("http://a.test/", "a=b; Expires=Tue, 14-Nov-2023 22:13:21 GMT", "http://a.test/", now + 1),
              "");
    EXPECT_EQ(sent("http://a.test/", "a=b; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "http://a.test/"), "");
    EXPECT_EQ(
        sent("http://a.test/", "a=b; Max-Age=10; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "http://a.test/"),
        "a=b");
    cookie_jar jar;
    jar.set(url("http://a.test/"), "a=b", now);
    jar.set(url("http://a.test/"), "a=c", now);
    EXPECT_EQ(jar.header_for(url("http://a.test/"), now), "a=c") << "the newer in place of the older";
    EXPECT_TRUE(jar.set(url("http://a.test/"), "a=; Max-Age=-1", now));
    EXPECT_TRUE(jar.cookies().empty());
}

TEST(cookie_jar, keeps_only_so_many) {
    cookie_jar jar(cookie_limits().cookie_bytes_max(10).cookies_per_domain_max(2).cookies_max(3));
    EXPECT_FALSE(jar.set(url("http://a.test/"), "a=" + std::string(10, 'x'), now));
    for (const char* each : {"a=1", "b=2", "c=3"})
        EXPECT_TRUE(jar.set(url("http://a.test/"), each, now));
    EXPECT_EQ(jar.header_for(url("http://a.test/"), now), "b=2; c=3");
    jar.set(url("http://b.test/"), "d=4", now);
    jar.set(url("http://c.test/"), "e=5", now);
    EXPECT_EQ(jar.cookies().size(), 3U);
    EXPECT_EQ(jar.header_for(url("http://a.test/"), now), "c=3");
    jar.clear();
    EXPECT_TRUE(jar.cookies().empty());
    for (const char* each : {"a=1; Secure", "b=2", "c=3; Secure", "d=4; Secure"})
        EXPECT_TRUE(jar.set(url("https://a.test/"), each, now));
    EXPECT_EQ(jar.header_for(url("https://a.test/"), now), "c=3; d=4");
    for (const std::size_t none : {0U, 1U})
        EXPECT_TRUE(cookie_jar(cookie_limits().cookies_per_domain_max(none).cookies_max(none))
                        .set(url("http://a.test/"), "a=1", now));
}

}  // namespace
}  // namespace eddy::http::cookie_jar_test
