#include "http/served_site.hpp"

#include <eddy/http/files/static_files.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>
#include <string>

namespace eddy::http::test::static_files_options_test {
namespace {

class site_with_options : public served_site {
protected:
    site_with_options() {
        site.write("a.txt", "text");
        site.write("directory/b.css", "p {}");
        site.write(".hidden", "secret");
        site.write(".git/config", "secret");
        site.write("directory/.env", "secret");
        site.write(".well-known/acme/token", "token");
        site.write(".well-known/.private", "secret");
    }
};

TEST_F(site_with_options, hides_what_begins_with_a_dot) {
    serve(static_files_options().listing(true));
    for (const auto path : {"/.hidden", "/.git/config", "/.git/", "/directory/.env", "/%2ehidden", "/.git",
                            "/directory/../.hidden", "/.well-known/.private", "/.well-knownx"})
        EXPECT_EQ(status_of(path), 404) << path;
    EXPECT_EQ(ask(get("/.well-known/acme/token")).body, "token");
}

TEST_F(site_with_options, shows_what_begins_with_a_dot_if_told_to) {
    serve(static_files_options().dot_files(true));
    EXPECT_EQ(ask(get("/.hidden")).body, "secret");
    EXPECT_EQ(ask(get("/directory/.env")).body, "secret");
}

TEST_F(site_with_options, takes_the_first_index_that_is_there) {
    site.write("one/index.htm", "htm");
    site.write("two/index.htm", "htm");
    site.write("two/start.html", "start");
    site.write("three/start.html/no.txt", "a directory is no index");
    site.write("three/index.htm", "htm");
    serve(static_files_options().index_names({"start.html", "index.htm"}));
    for (int round = 0; round < 2; ++round) {
        EXPECT_EQ(ask(get("/one/")).body, "htm");
        EXPECT_EQ(ask(get("/two/")).body, "start");
        EXPECT_EQ(ask(get("/three/")).body, "htm");
        EXPECT_EQ(status_of("/directory/"), 404);
    }
}

TEST_F(site_with_options, adds_fields_by_its_rules) {
    serve(static_files_options()
              .cache_control("/directory/*", "max-age=1")
              .cache_control("*.txt", "no-cache")
              .cache_control("*", "max-age=60")
              .add_field("X-Content-Type-Options", "nosniff")
              .media_type("TXT", "text/markdown"));
    const auto text = ask(get("/a.txt"));
    EXPECT_EQ(text.field("Cache-Control"), "no-cache");
    EXPECT_EQ(text.field("Content-Type"), "text/markdown");
    EXPECT_EQ(text.field("X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(ask(get("/directory/b.css")).field("Cache-Control"), "max-age=1");
    const auto same = ask(get("/a.txt", "If-None-Match: " + text.field("ETag") + "\r\n"));
    EXPECT_EQ(same.status, 304);
    EXPECT_EQ(same.field("Cache-Control"), "no-cache");
    const auto missing = ask(get("/missing.txt"));
    EXPECT_EQ(missing.field("X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(missing.field("Cache-Control"), "");
}

TEST(static_files_options, match_patterns_with_stars) {
    static_files_options options;
    options.cache_control("/top.txt", "rooted")
        .cache_control("assets/*.js", "below assets")
        .cache_control("*a*b*c", "letters")
        .cache_control("exact", "exact");
    EXPECT_EQ(options.cache_control_for("top.txt"), "rooted");
    EXPECT_EQ(options.cache_control_for("directory/top.txt"), "");
    EXPECT_EQ(options.cache_control_for("assets/a/b.js"), "below assets");
    EXPECT_EQ(options.cache_control_for("other/assets/b.js"), "");
    EXPECT_EQ(options.cache_control_for("directory/xaxbxbxc"), "letters");
    EXPECT_EQ(options.cache_control_for("abcd"), "");
    EXPECT_EQ(options.cache_control_for("directory/exact"), "exact");
    EXPECT_EQ(options.cache_control_for("exactly"), "");
}

TEST(static_files_options, refuse_values_that_no_field_can_have) {
    static_files_options options;
    EXPECT_THROW(options.cache_control("*", "a\r\nb: c"), std::invalid_argument);
    EXPECT_THROW(options.media_type("x", "a\nb"), std::invalid_argument);
    EXPECT_THROW(options.add_field("a b", "c"), std::invalid_argument);
}

class listed_site : public served_site {};

TEST_F(listed_site, shows_what_is_in_a_directory) {
    site.write("b.txt", std::string(2048, 'x'));
    site.write("A.txt", "a");
    site.write("sub/file", "");
    site.write(".hidden", "");
    serve(static_files_options().listing(true));
    const auto page = ask(get("/"));
    EXPECT_EQ(page.status, 200);
    EXPECT_EQ(page.field("Content-Type"), "text/html; charset=utf-8");
    EXPECT_NE(page.field("Content-Security-Policy"), "");
    const auto sub = page.body.find("<a href=\"./sub/\">sub/</a>");
    const auto upper = page.body.find("<a href=\"./A.txt\">A.txt</a></td><td>1 B</td><td>2020-09-13 12:26");
    const auto lower = page.body.find("<a href=\"./b.txt\">b.txt</a></td><td>2.0 KiB</td>");
    EXPECT_LT(sub, upper);
    EXPECT_LT(upper, lower);
    EXPECT_NE(lower, std::string::npos);
    EXPECT_EQ(page.body.find("hidden"), std::string::npos);
    EXPECT_EQ(page.body.find("../"), std::string::npos);
    EXPECT_EQ(page.body.find("<script"), std::string::npos);
    EXPECT_NE(page.body.find("width=device-width"), std::string::npos);
    const auto below = ask(get("/sub/"));
    EXPECT_NE(below.body.find("<title>/sub/</title>"), std::string::npos);
    EXPECT_NE(below.body.find("<a href=\"../\">"), std::string::npos);
    EXPECT_EQ(ask(get("/sub")).field("Location"), "/sub/");
    EXPECT_EQ(status_of("/b.txt/"), 404);
    EXPECT_EQ(status_of("/missing/"), 404);
}

TEST_F(listed_site, escapes_every_name) {
    site.write("<img src=x onerror=alert(1)>.txt", "");
    site.write("javascript:alert(1)", "");
    site.write("a&b \"c\" 'd'%2e?#.txt", "");
    site.write("line\nfeed", "");
    site.write("<b>/index.txt", "");
    serve(static_files_options().listing(true));
    const auto page = ask(get("/")).body;
    EXPECT_EQ(page.find("<img"), std::string::npos);
    EXPECT_NE(page.find("href=\"./%3Cimg%20src%3Dx%20onerror%3Dalert%281%29%3E.txt\">&lt;img"),
              std::string::npos);
    EXPECT_NE(page.find("href=\"./javascript%3Aalert%281%29\""), std::string::npos);
    EXPECT_NE(
        page.find("href=\"./a%26b%20%22c%22%20%27d%27%252e%3F%23.txt\">a&amp;b &quot;c&quot; &#39;d&#39;"),
        std::string::npos);
    EXPECT_NE(page.find("href=\"./line%0Afeed\">line\xef\xbf\xbd"), std::string::npos);
    EXPECT_EQ(status_of("/a%26b%20%22c%22%20%27d%27%252e%3F%23.txt"), 200);
    const auto below = ask(get("/%3Cb%3E/")).body;
    EXPECT_NE(below.find("<h1>/&lt;b&gt;/</h1>"), std::string::npos);
}

TEST_F(listed_site, tells_nothing_of_what_lies_outside) {
    const temporary_site outside;
    outside.write("secret.txt", "secret");
    site.write("in.txt", "content");
    std::filesystem::create_symlink(outside.at("secret.txt"), site.at("out.txt"));
    std::filesystem::create_symlink("nowhere", site.at("dangling"));
    std::filesystem::create_symlink("in.txt", site.at("link.txt"));
    serve(static_files_options().listing(true));
    const auto page = ask(get("/")).body;
    EXPECT_EQ(page.find("out.txt"), std::string::npos);
    EXPECT_EQ(page.find("dangling"), std::string::npos);
    EXPECT_NE(page.find("<a href=\"./link.txt\">link.txt</a></td><td>7 B</td>"), std::string::npos);
}

TEST_F(listed_site, cuts_off_a_large_directory_and_says_so) {
    for (int i = 0; i < 5; ++i)
        site.write(std::to_string(i), "");
    serve(static_files_options().listing(true).listing_entries_max(3));
    const auto page = ask(get("/")).body;
    std::size_t rows = 0;
    for (std::size_t at = 0; (at = page.find("<tr><td><a", at)) != std::string::npos; ++at)
        ++rows;
    EXPECT_EQ(rows, 3U);
    EXPECT_NE(page.find("more than is shown"), std::string::npos);
}

}  // namespace
}  // namespace eddy::http::test::static_files_options_test
