#include <eddy/http/codec/detail/request_parser.hpp>
#include <eddy/http/message/conditional.hpp>

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace eddy::http::conditional_test {
namespace {

// The representation: tag "a", changed at the date below, which was an hour ago.
constexpr std::string_view at_change = "Sun, 06 Nov 1994 08:49:37 GMT";
constexpr std::string_view before = "Sun, 06 Nov 1994 08:49:36 GMT";
constexpr std::string_view after = "Sun, 06 Nov 1994 08:49:38 GMT";
constexpr std::int64_t changed = 784111777;
constexpr std::int64_t now = changed + 3600;

validators tagged(bool is_weak = false) {
    return {entity_tag_view("\"a\"", is_weak), changed};
}

// Field lines of a test: "Name: value" with "\r\n" between them.
template <class Ask>
auto ask(std::string_view method, std::string_view fields, Ask question) {
    const std::string text = std::string(method) + " / HTTP/1.1\r\nHost: a\r\n" + std::string(fields) +
                             (fields.empty() ? "" : "\r\n") + "\r\n";
    const message_limits limits;
    request_parser parser(limits);
    EXPECT_EQ(parser.parse(text).state(), parse_state::complete) << text;
    return question(parser.head(text));
}

precondition evaluate(std::string_view method, std::string_view fields,
                      const validators& current = tagged()) {
    return ask(method, fields, [&](request_head head) { return evaluate_preconditions(head, current, now); });
}

std::string line(std::string_view name, std::string_view value) {
    return std::string(name) + ": " + std::string(value);
}

TEST(conditional, a_request_without_conditions_proceeds) {
    EXPECT_EQ(evaluate("GET", ""), precondition::proceed);
    EXPECT_EQ(evaluate("PUT", "", validators()), precondition::proceed);
}

TEST(conditional, if_match_wants_a_strong_match) {
    EXPECT_EQ(evaluate("PUT", "If-Match: \"a\""), precondition::proceed);
    EXPECT_EQ(evaluate("PUT", "If-Match: \"b\", \"a\""), precondition::proceed);
    EXPECT_EQ(evaluate("PUT", "If-Match: \"b\"\r\nIf-Match: \"a\""), precondition::proceed);
    EXPECT_EQ(evaluate("PUT", "If-Match: *"), precondition::proceed);
    EXPECT_EQ(evaluate("GET", "If-Match: \"b\""), precondition::failed);
    EXPECT_EQ(evaluate("PUT", "If-Match: W/\"a\""), precondition::failed);
    EXPECT_EQ(evaluate("PUT", "If-Match: \"a\"", tagged(true)), precondition::failed);
    EXPECT_EQ(evaluate("PUT", "If-Match: *", validators()), precondition::failed);
    EXPECT_EQ(evaluate("PUT", "If-Match: \"a\"", validators()), precondition::failed);
    EXPECT_EQ(evaluate("PUT", "If-Match: \"a\"", validators(std::nullopt, changed)), precondition::failed);
    for (std::string_view malformed : {"a", "\"a\", *", "", "*, \"a\"", "*\r\nIf-Match: *",
                                       "\"a\"\r\nIf-Match: b", "b\r\nIf-Match: \"a\""}) {
        EXPECT_EQ(evaluate("PUT", line("If-Match", malformed)), precondition::failed) << malformed;
    }
}

TEST(conditional, if_none_match_wants_no_weak_match) {
    for (std::string_view method : {"GET", "HEAD"}) {
        EXPECT_EQ(evaluate(method, "If-None-Match: \"a\""), precondition::not_modified);
        EXPECT_EQ(evaluate(method, "If-None-Match: \"b\", W/\"a\""), precondition::not_modified);
        EXPECT_EQ(evaluate(method, "If-None-Match: \"a\"\r\nIf-None-Match: \"b\""),
                  precondition::not_modified);
        EXPECT_EQ(evaluate(method, "If-None-Match: \"a\"", tagged(true)), precondition::not_modified);
        EXPECT_EQ(evaluate(method, "If-None-Match: *"), precondition::not_modified);
        EXPECT_EQ(evaluate(method, "If-None-Match: \"b\""), precondition::proceed);
        EXPECT_EQ(evaluate(method, "If-None-Match: a"), precondition::proceed);
        EXPECT_EQ(evaluate(method, "If-None-Match: *", validators()), precondition::proceed);
    }
    EXPECT_EQ(evaluate("PUT", "If-None-Match: *"), precondition::failed);
    EXPECT_EQ(evaluate("PUT", "If-None-Match: \"a\""), precondition::failed);
    EXPECT_EQ(evaluate("PUT", "If-None-Match: nonsense"), precondition::failed);
    EXPECT_EQ(evaluate("PUT", "If-None-Match: \"b\""), precondition::proceed);
    EXPECT_EQ(evaluate("PUT", "If-None-Match: *", validators()), precondition::proceed);
}

TEST(conditional, dates_are_compared_to_the_second) {
    EXPECT_EQ(evaluate("GET", line("If-Modified-Since", before)), precondition::proceed);
    EXPECT_EQ(evaluate("GET", line("If-Modified-Since", at_change)), precondition::not_modified);
    EXPECT_EQ(evaluate("HEAD", line("If-Modified-Since", after)), precondition::not_modified);
    EXPECT_EQ(evaluate("GET", "If-Modified-Since: Sunday, 06-Nov-94 08:49:37 GMT"),
              precondition::not_modified);
    EXPECT_EQ(evaluate("POST", line("If-Modified-Since", after)), precondition::proceed);

    EXPECT_EQ(evaluate("PUT", line("If-Unmodified-Since", before)), precondition::failed);
    EXPECT_EQ(evaluate("PUT", line("If-Unmodified-Since", at_change)), precondition::proceed);
    EXPECT_EQ(evaluate("GET", line("If-Unmodified-Since", after)), precondition::proceed);
}

TEST(conditional, a_date_that_cannot_be_used_is_passed_over) {
    const std::string twice = line("If-Modified-Since", after) + "\r\n" + line("If-Modified-Since", after);
    EXPECT_EQ(evaluate("GET", twice), precondition::proceed);
    EXPECT_EQ(evaluate("GET", "If-Modified-Since: tomorrow"), precondition::proceed);
    EXPECT_EQ(evaluate("PUT", "If-Unmodified-Since: yesterday"), precondition::proceed);
    const validators without_date(entity_tag_view("\"a\"", false), std::nullopt);
    EXPECT_EQ(evaluate("GET", line("If-Modified-Since", after), without_date), precondition::proceed);
    EXPECT_EQ(evaluate("PUT", line("If-Unmodified-Since", before), without_date), precondition::proceed);
}

TEST(conditional, tags_go_before_dates_and_matches_before_the_rest) {
    EXPECT_EQ(evaluate("PUT", "If-Match: \"a\"\r\n" + line("If-Unmodified-Since", before)),
              precondition::proceed);
    EXPECT_EQ(evaluate("GET", "If-None-Match: \"b\"\r\n" + line("If-Modified-Since", after)),
              precondition::proceed);
    EXPECT_EQ(evaluate("GET", "If-None-Match: \"a\"\r\n" + line("If-Modified-Since", before)),
              precondition::not_modified);
    EXPECT_EQ(evaluate("GET", "If-None-Match: \"a\"\r\nIf-Match: \"b\""), precondition::failed);
    EXPECT_EQ(evaluate("GET", "If-None-Match: \"a\"\r\nIf-Match: \"a\""), precondition::not_modified);
    EXPECT_EQ(evaluate("GET", line("If-Unmodified-Since", after) + "\r\n" + line("If-Modified-Since", after)),
              precondition::not_modified);
}

bool may_range(std::string_view method, std::string_view fields, const validators& current = tagged(),
               std::int64_t at = now) {
    return ask(method, fields, [&](request_head head) { return may_send_range(head, current, at); });
}

TEST(conditional, a_range_needs_get_and_one_range_field) {
    EXPECT_TRUE(may_range("GET", "Range: bytes=0-"));
    EXPECT_FALSE(may_range("GET", ""));
    EXPECT_FALSE(may_range("HEAD", "Range: bytes=0-"));
    EXPECT_FALSE(may_range("POST", "Range: bytes=0-"));
    EXPECT_FALSE(may_range("GET", "Range: bytes=0-\r\nRange: bytes=0-"));
    EXPECT_FALSE(may_range("GET", "Range: bytes=0-", validators()));
}

TEST(conditional, if_range_wants_exactly_this_representation) {
    const std::string range = "Range: bytes=0-\r\n";
    EXPECT_TRUE(may_range("GET", range + "If-Range: \"a\""));
    EXPECT_FALSE(may_range("GET", range + "If-Range: \"b\""));
    EXPECT_FALSE(may_range("GET", range + "If-Range: W/\"a\""));
    EXPECT_FALSE(may_range("GET", range + "If-Range: \"a\"", tagged(true)));
    EXPECT_FALSE(may_range("GET", range + "If-Range: \"a\", \"a\""));
    EXPECT_FALSE(may_range("GET", range + "If-Range: *"));
    EXPECT_FALSE(may_range("GET", range + "If-Range: \"a\"\r\nIf-Range: \"a\""));
    EXPECT_TRUE(may_range("GET", range + line("If-Range", at_change)));
    EXPECT_FALSE(may_range("GET", range + line("If-Range", after))) << "later is not the same";
    EXPECT_FALSE(may_range("GET", range + line("If-Range", before)));
    EXPECT_FALSE(may_range("GET", range + line("If-Range", at_change), tagged(), changed))
        << "it might still change within this second";
    EXPECT_TRUE(may_range("GET", range + line("If-Range", at_change), tagged(), changed + 1));
}

}  // namespace
}  // namespace eddy::http::conditional_test
