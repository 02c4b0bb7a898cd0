#include <eddy/http/message/entity_tag.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>

namespace eddy::http::entity_tag_test {
namespace {

TEST(entity_tag, is_made_of_time_and_size) {
    const auto tag = entity_tag::strong(0x1234abcd, 0x400);
    EXPECT_EQ(tag.text(), "\"1234abcd-400\"");
    EXPECT_FALSE(tag.view().is_weak());
    EXPECT_EQ(entity_tag::weak(1, 2).text(), "W/\"1-2\"");
    EXPECT_TRUE(entity_tag::weak(1, 2).view().is_weak());
    EXPECT_EQ(entity_tag::weak(1, 2).view().opaque(), "\"1-2\"");
    EXPECT_EQ(entity_tag::weak(-1, UINT64_MAX).text(), "W/\"ffffffffffffffff-ffffffffffffffff\"");
}

TEST(entity_tag, what_is_made_is_read_back) {
    for (const auto& tag : {entity_tag::strong(1, 2), entity_tag::weak(INT64_MIN, 0)}) {
        const auto parsed = parse_entity_tag(tag.text());
        ASSERT_TRUE(parsed);
        EXPECT_EQ(parsed->opaque(), tag.view().opaque());
        EXPECT_EQ(parsed->is_weak(), tag.view().is_weak());
    }
}

// The table of RFC 9110 section 8.8.3.2.
TEST(entity_tag, compares_as_the_rfc_says) {
    const auto weak_1 = *parse_entity_tag("W/\"1\"");
    const auto weak_2 = *parse_entity_tag("W/\"2\"");
    const auto strong_1 = *parse_entity_tag("\"1\"");
    EXPECT_FALSE(weak_1.strongly_equals(weak_1));
    EXPECT_TRUE(weak_1.weakly_equals(weak_1));
    EXPECT_FALSE(weak_1.weakly_equals(weak_2));
    EXPECT_FALSE(weak_1.strongly_equals(strong_1));
    EXPECT_FALSE(strong_1.strongly_equals(weak_1));
    EXPECT_TRUE(weak_1.weakly_equals(strong_1));
    EXPECT_TRUE(strong_1.strongly_equals(strong_1));
}

TEST(entity_tag, refuses_what_is_no_tag) {
    for (std::string_view text : {"", "a", "\"", "\"a", "a\"", "'a'", "w/\"a\"", "W/a", "W\"a\"", "W/ \"a\"",
                                  "\"a\"b", "\"a b\"", "\"a\x01\"", "*"}) {
        EXPECT_FALSE(parse_entity_tag(text)) << text;
    }
    EXPECT_TRUE(parse_entity_tag("\"\""));
    EXPECT_TRUE(parse_entity_tag("\"a,b\\\xc3\xa9\""));
}

TEST(entity_tag, lists_are_searched) {
    const auto tag = *parse_entity_tag("\"b\"");
    for (std::string_view list : {"\"b\"", "\"a\", \"b\"", "\"b\",\"a\"", " \"a\"\t,,\t\"b\" , ", ",\"b\""}) {
        EXPECT_EQ(entity_tag_list_has(list, tag, tag_comparison::strong), true) << list;
    }
    for (std::string_view list : {"\"a\"", "\"a\",\"c\"", "\"a,b\"", "\"a\",W/\"b\""}) {
        EXPECT_EQ(entity_tag_list_has(list, tag, tag_comparison::strong), false) << list;
    }
    EXPECT_EQ(entity_tag_list_has("\"a\",W/\"b\"", tag, tag_comparison::weak), true);
    for (std::string_view list : {"", " ", ",", "b", "\"b\" \"a\"", "\"b\"\"a\"", "\"b\", a", "\"b\", *", "*",
                                  "\"b\",\"", "\"b\"; \"a\""}) {
        EXPECT_EQ(entity_tag_list_has(list, tag, tag_comparison::weak), std::nullopt) << list;
    }
}

}  // namespace
}  // namespace eddy::http::entity_tag_test
