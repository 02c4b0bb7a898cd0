#include <eddy/http/client/client_options.hpp>
#include <eddy/http/message/http_error.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <system_error>

namespace eddy::http::proxy_settings_test {
namespace {

std::string proxy_of(const proxy_settings& settings, std::string_view to) {
    const auto& proxy = settings.proxy_for(url(to));
    return proxy ? proxy->text() : "direct";
}

TEST(proxy_settings, choose_by_scheme) {
    proxy_settings settings;
    EXPECT_EQ(proxy_of(settings, "http://a/"), "direct");
    settings.for_http("http://one:1").for_https("two:2");
    EXPECT_EQ(proxy_of(settings, "http://a/"), "http://one:1/");
    EXPECT_EQ(proxy_of(settings, "https://a/"), "http://two:2/");
    EXPECT_EQ(proxy_of(settings, "wss://a/"), "http://two:2/");
    EXPECT_EQ(proxy_of(settings, "http+unix://%2Fa/"), "direct");
    EXPECT_THROW(settings.for_http("socks5://a"), std::system_error);
    EXPECT_THROW(settings.for_http("http://a b"), std::system_error);
}

TEST(proxy_settings, leave_out_hosts) {
    proxy_settings settings;
    settings.for_all("p").except("a.test, .B.test,127.0.0.1 ,::1,c:81,");
    for (const char* direct : {"http://a.test/", "http://x.a.test/", "http://x.b.test/", "http://b.test/",
                               "http://127.0.0.1:8080/", "http://[::1]/", "https://c:81/"})
        EXPECT_EQ(proxy_of(settings, direct), "direct") << direct;
    for (const char* other : {"http://xa.test/", "http://test/", "http://c/", "http://127.0.0.2/"})
        EXPECT_EQ(proxy_of(settings, other), "http://p/") << other;
    EXPECT_EQ(proxy_of(proxy_settings().for_all("p").except("*"), "http://a/"), "direct");
}

TEST(proxy_settings, take_a_dot_at_the_end_for_the_root) {
    proxy_settings settings;
    settings.for_all("p").except("a.test,b.test.,.c.test.,d.test.:81,e.test:81,.");
    for (const char* direct :
         {"http://a.test./", "http://x.a.test./", "http://b.test/", "http://b.test./", "http://x.c.test/",
          "http://d.test:81/", "http://d.test.:81/", "http://e.test.:81/"})
        EXPECT_EQ(proxy_of(settings, direct), "direct") << direct;
    for (const char* other : {"http://xa.test./", "http://test./", "http://d.test/", "http://e.test./"})
        EXPECT_EQ(proxy_of(settings, other), "http://p/") << other;
}

TEST(proxy_settings, come_from_the_environment_if_asked) {
    for (const char* name : {"all_proxy", "ALL_PROXY", "https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY",
                             "http_proxy", "HTTP_PROXY"})
        unsetenv(name);
    setenv("HTTP_PROXY", "http://injected", 1);
    EXPECT_EQ(proxy_of(proxy_settings::from_environment(), "http://a/"), "direct")
        << "a request's Proxy field";
    setenv("http_proxy", "http://one", 1);
    setenv("HTTPS_PROXY", "http://two", 1);
    setenv("NO_PROXY", "a", 1);
    const auto settings = proxy_settings::from_environment();
    EXPECT_EQ(proxy_of(settings, "http://b/"), "http://one/");
    EXPECT_EQ(proxy_of(settings, "https://b/"), "http://two/");
    EXPECT_EQ(proxy_of(settings, "https://a/"), "direct");
    setenv("http_proxy", "not a url", 1);
    EXPECT_EQ(proxy_of(proxy_settings::from_environment(), "http://b/"), "direct");
}

}  // namespace
}  // namespace eddy::http::proxy_settings_test
