#include <eddy/http/message/http_error.hpp>
#include <eddy/http/message/url.hpp>

#include <gtest/gtest.h>

#include <string>
#include <system_error>

namespace eddy::http::url_test {
namespace {

std::string text_of(std::string_view text) {
    const auto parsed = url::parse(text);
    return parsed ? parsed->text() : "none";
}

TEST(url, comes_apart) {
    const url whole("HTTP://User:pw@WWW.Example.com:8080/a/b?c=d&e#f");
    EXPECT_EQ(whole.scheme(), "http");
    EXPECT_EQ(whole.user_info(), "User:pw");
    EXPECT_EQ(whole.host(), "www.example.com");
    EXPECT_EQ(whole.port(), 8080);
    EXPECT_EQ(whole.authority(), "www.example.com:8080");
    EXPECT_EQ(whole.origin(), "http://www.example.com:8080");
    EXPECT_EQ(whole.path(), "/a/b");
    EXPECT_EQ(whole.query(), "c=d&e");
    EXPECT_EQ(whole.fragment(), "f");
    EXPECT_EQ(whole.target(), "/a/b?c=d&e");
    EXPECT_EQ(whole.absolute_target(), "http://www.example.com:8080/a/b?c=d&e");
    EXPECT_EQ(whole.text(), "http://www.example.com:8080/a/b?c=d&e#f");
    EXPECT_FALSE(whole.is_secure());
}

TEST(url, that_says_little_has_defaults) {
    const url bare("https://a");
    EXPECT_EQ(bare.path(), "/");
    EXPECT_EQ(bare.target(), "/");
    EXPECT_EQ(bare.query(), std::nullopt);
    EXPECT_EQ(bare.fragment(), std::nullopt);
    EXPECT_EQ(bare.port(), std::nullopt);
    EXPECT_EQ(bare.port_or_default(), 443);
    EXPECT_TRUE(bare.is_secure());
    EXPECT_EQ(url("http://a?").query(), "") << "an empty query is one";
    EXPECT_EQ(url("http://a#").fragment(), "");
    EXPECT_EQ(url("ws://a").port_or_default(), 80);
    EXPECT_TRUE(url("wss://a").is_secure());
    EXPECT_EQ(url("other://a:1/").port_or_default(), 1);
}

TEST(url, has_one_form) {
    EXPECT_EQ(text_of("http://a:80/"), "http://a/");
    EXPECT_EQ(text_of("https://a:80/"), "https://a:80/");
    EXPECT_EQ(text_of("http://a:/"), "http://a/");
    EXPECT_EQ(text_of("http://A/B/../C/./d/.."), "http://a/C/");
    EXPECT_EQ(text_of("http://a/../../b"), "http://a/b");
    EXPECT_EQ(text_of("http://a//b//"), "http://a//b//");
    EXPECT_EQ(text_of("http://a/..?../.."), "http://a/?../..");
    EXPECT_EQ(url("http://a/%7euser/%2f%c3%A9").normalised().text(), "http://a/~user/%2F%C3%A9");
    EXPECT_EQ(url("http://a/b/%2E%2e/c").normalised().text(), "http://a/c");
    EXPECT_EQ(url("http://u@a/%41").normalised().user_info(), "u");
}

TEST(url, knows_addresses) {
    const url six("http://[::1]:8080/");
    EXPECT_EQ(six.host(), "[::1]");
    EXPECT_EQ(six.host_name(), "::1");
    EXPECT_EQ(six.port(), 8080);
    EXPECT_EQ(url("http://127.0.0.1/").host_name(), "127.0.0.1");
    EXPECT_EQ(url("http://ex%41mple%2Ecom:81/").text(), "http://example.com:81/");
    EXPECT_EQ(url("http+unix://%2Frun%2Fa.sock/b").host(), "%2frun%2fa.sock");
}

TEST(url, that_is_malformed_is_none) {
    for (const char* text : {"",
                             "a",
                             "http:",
                             "http:/",
                             "http://",
                             "http:///a",
                             "http:a",
                             "//a/b",
                             "1http://a",
                             "http://a b/",
                             "http://a/ b",
                             "http://a/\r\nb",
                             "http://a/%",
                             "http://a/%2g",
                             "http://a:65536/",
                             "http://a:b/",
                             "http://a:1:2/",
                             "http://[::1/",
                             "http://[a.b]/",
                             "http://a@b@c/",
                             "http://a\\@b/",
                             "http://a/\\",
                             "http://a/\xc3\xa9",
                             "http://a/?\"",
                             "http://a/#a#b",
                             "http://@",
                             "https://.test/",
                             "https://%2etest/",
                             "http://a..test/",
                             "http://./",
                             "http://a.test../",
                             "http://u[@a/",
                             "ht tp://a",
                             "http://a/{}"})
        EXPECT_EQ(text_of(text), "none") << text;
    EXPECT_EQ(text_of("http://a/" + std::string(70'000, 'a')), "none");
    try {
        const url refused("http://");
        FAIL();
    } catch (const std::system_error& error) {
        EXPECT_EQ(error.code(), http_error::malformed_url);
    }
}

TEST(url, resolves_what_rfc_3986_resolves) {
    const url base("http://a/b/c/d;p?q");
    const auto resolved = [&base](std::string_view reference) {
        const auto made = base.resolve(reference);
        return made ? made->text() : "none";
    };
    // Section 5.4.1 and 5.4.2, with an authority added where they have none.
    EXPECT_EQ(resolved("g:h"), "none");
    EXPECT_EQ(resolved("g"), "http://a/b/c/g");
    EXPECT_EQ(resolved("./g"), "http://a/b/c/g");
    EXPECT_EQ(resolved("g/"), "http://a/b/c/g/");
    EXPECT_EQ(resolved("/g"), "http://a/g");
    EXPECT_EQ(resolved("//g"), "http://g/");
    EXPECT_EQ(resolved("?y"), "http://a/b/c/d;p?y");
    EXPECT_EQ(resolved("g?y"), "http://a/b/c/g?y");
    EXPECT_EQ(resolved("#s"), "http://a/b/c/d;p?q#s");
    EXPECT_EQ(resolved("g#s"), "http://a/b/c/g#s");
    EXPECT_EQ(resolved("g?y#s"), "http://a/b/c/g?y#s");
    EXPECT_EQ(resolved(";x"), "http://a/b/c/;x");
    EXPECT_EQ(resolved("g;x=1/../y"), "http://a/b/c/y");
    EXPECT_EQ(resolved(""), "http://a/b/c/d;p?q");
    EXPECT_EQ(resolved("."), "http://a/b/c/");
    EXPECT_EQ(resolved(".."), "http://a/b/");
    EXPECT_EQ(resolved("../g"), "http://a/b/g");
    EXPECT_EQ(resolved("../.."), "http://a/");
    EXPECT_EQ(resolved("../../../g"), "http://a/g");
    EXPECT_EQ(resolved("/./g"), "http://a/g");
    EXPECT_EQ(resolved("g."), "http://a/b/c/g.");
    EXPECT_EQ(resolved("..g"), "http://a/b/c/..g");
    EXPECT_EQ(resolved("./g/."), "http://a/b/c/g/");
    EXPECT_EQ(resolved("g/../h"), "http://a/b/c/h");
    EXPECT_EQ(resolved("g?y/../x"), "http://a/b/c/g?y/../x");
    EXPECT_EQ(resolved("https://b:1/c"), "https://b:1/c");
    EXPECT_EQ(resolved("/\r\nx"), "none");
}

TEST(url, takes_user_information_nowhere) {
    const url with("http://u:p@a/b");
    EXPECT_EQ(with.resolve("c")->user_info(), "");
    EXPECT_EQ(with.absolute_target(), "http://a/b");
    EXPECT_EQ(url("http://a/").with_user_info("u:p")->user_info(), "u:p");
    EXPECT_EQ(url("http://a/").with_user_info("u@b"), std::nullopt);
}

}  // namespace
}  // namespace eddy::http::url_test
