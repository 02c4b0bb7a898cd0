#include <eddy/http/message/detail/target_path.hpp>

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace eddy::http::target_path_test {
namespace {

using namespace std::string_literals;

// The path with a "/" behind it when it names a directory; or the status it is refused with.
std::string resolved(std::string_view target, std::size_t room = 256) {
    std::vector<char> buffer(room);  // its end is watched by the address sanitizer
    const auto result = resolve_target_path(target, buffer);
    if (!result) {
        return std::to_string(to_number(result.error().status()));
    }
    return std::string(result->path()) + (result->names_directory() ? "/" : "");
}

TEST(target_path, becomes_a_relative_path) {
    EXPECT_EQ(resolved("/"), "/");
    EXPECT_EQ(resolved("/a"), "a");
    EXPECT_EQ(resolved("/a/b.html"), "a/b.html");
    EXPECT_EQ(resolved("/a/"), "a/");
    EXPECT_EQ(resolved("/a/b/"), "a/b/");
    EXPECT_EQ(resolved("/.hidden"), ".hidden");
    EXPECT_EQ(resolved("/..."), "...");
    EXPECT_EQ(resolved("/a..b/..c/d.."), "a..b/..c/d..");
}

TEST(target_path, the_query_is_left_out) {
    EXPECT_EQ(resolved("/a?b"), "a");
    EXPECT_EQ(resolved("/?/../.."), "/");
    EXPECT_EQ(resolved("/a%3fb?c"), "a?b");
}

TEST(target_path, escapes_are_decoded_once) {
    EXPECT_EQ(resolved("/%41%62%7E"), "Ab~");
    EXPECT_EQ(resolved("/a%20b+c"), "a b+c");
    EXPECT_EQ(resolved("/%e4%BD%a0"), "\xe4\xbd\xa0");
    EXPECT_EQ(resolved("/%2541"), "%41");
    EXPECT_EQ(resolved("/%252e%252e/"), "%2e%2e/");
    EXPECT_EQ(resolved("/%0a%ff"), "\n\xff");
}

TEST(target_path, empty_and_dot_segments_vanish) {
    EXPECT_EQ(resolved("//"), "/");
    EXPECT_EQ(resolved("//a//b//"), "a/b/");
    EXPECT_EQ(resolved("/./a/./b/."), "a/b/");
    EXPECT_EQ(resolved("/a/%2e/b"), "a/b");
    EXPECT_EQ(resolved("/a/../b"), "b");
    EXPECT_EQ(resolved("/a/b/.."), "a/");
    EXPECT_EQ(resolved("/a/b/../../"), "/");
    EXPECT_EQ(resolved("/a/.."), "/");
    EXPECT_EQ(resolved("/a//../b"), "b");
}

TEST(target_path, leaving_the_root_is_refused_in_every_spelling) {
    for (std::string_view target :
         {"/..", "/../", "/../a", "/a/../..", "/a/../../a", "/./..", "//..", "/%2e%2e", "/%2E%2e/etc/passwd",
          "/.%2e", "/%2e.", "/a/%2e%2e/%2e%2e/b", "/a/./../../b/c", "/a/b/../../../c", "/..?a", "/../a/..",
          "/a//..//..//"}) {
        EXPECT_EQ(resolved(target), "400") << target;
    }
}

TEST(target_path, backslashes_are_ordinary) {
    EXPECT_EQ(resolved("/..\\..\\a"), "..\\..\\a");
    EXPECT_EQ(resolved("/a%5c..%5C"), "a\\..\\");
}

TEST(target_path, refuses_what_cannot_be_a_name) {
    for (const std::string& target :
         {""s,      "a"s,          "*"s,      "?"s,      "http://a/"s, "/%"s,
          "/%4"s,   "/%4g"s,       "/%g4"s,   "/%%41"s,  "/a%"s,       "/% 41"s,
          "/%00"s,  "/a%00.html"s, "/a\0b"s,  "/a%2fb"s, "/a%2Fb"s,    "/..%2f..%2fa"s,
          "/%4/1"s, "/%+1"s,       "/a/%4?1"s}) {
        EXPECT_EQ(resolved(target), "400") << target;
    }
}

TEST(target_path, a_path_that_does_not_fit_is_too_long) {
    EXPECT_EQ(resolved("/abc", 3), "abc");
    EXPECT_EQ(resolved("/abc", 2), "414");
    EXPECT_EQ(resolved("/a/b", 3), "a/b");
    EXPECT_EQ(resolved("/a/b", 2), "414");
    EXPECT_EQ(resolved("/a/b", 1), "414");
    EXPECT_EQ(resolved("/%41", 1), "A");
    EXPECT_EQ(resolved("/", 0), "/");
    EXPECT_EQ(resolved("/a", 0), "414");
}

}  // namespace
}  // namespace eddy::http::target_path_test
