#include <eddy/http/cookie_jar.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace eddy::http {
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
    for (const std::string& malformed : {"a"s, "=b"s, ""s, "a=b\r\nc"s, "a=\0"s, "a=b;\x01"s})
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
    EXPECT_EQ(sent("http://a.test/x/y", "a=b", "http://a.test/x/z"), "a=b") << "the folder of the path";
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
}

}  // namespace
}  // namespace eddy::http
