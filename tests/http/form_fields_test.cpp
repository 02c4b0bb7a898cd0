#include <eddy/http/message/form_fields.hpp>

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace eddy::http::form_fields_test {
namespace {

std::string seen(std::string_view text) {
    const auto parsed = form_fields::parse(text);
    if (!parsed)
        return "refused " + std::to_string(to_number(parsed.error().status()));
    std::string out;
    for (const auto& [name, value] : *parsed)
        out += "[" + name + "|" + value + "]";
    return out;
}

TEST(form_fields, are_taken_apart_at_ampersands_and_first_equals_signs) {
    EXPECT_EQ(seen("a=1&b=2"), "[a|1][b|2]");
    EXPECT_EQ(seen("a=b=c"), "[a|b=c]");
    EXPECT_EQ(seen("a"), "[a|]");
    EXPECT_EQ(seen("a="), "[a|]");
    EXPECT_EQ(seen("=v"), "[|v]");
    EXPECT_EQ(seen("&&a=1&&"), "[a|1]");
    EXPECT_EQ(seen(""), "");
    EXPECT_EQ(seen("a;b=1"), "[a;b|1]");
}

TEST(form_fields, are_decoded_after_they_are_taken_apart) {
    EXPECT_EQ(seen("a%26b=c%3Dd+e&x+y=%2B"), "[a&b|c=d e][x y|+]");
}

TEST(form_fields, with_a_malformed_escape_are_refused) {
    EXPECT_EQ(seen("a=%"), "refused 400");
    EXPECT_EQ(seen("%4=1"), "refused 400");
    EXPECT_EQ(seen("a=1&b=%zz"), "refused 400");
}

TEST(form_fields, beyond_a_limit_are_refused) {
    EXPECT_TRUE(form_fields::parse("a=1&b=2", form_limits().fields_max(2)));
    EXPECT_EQ(form_fields::parse("a=1&b=2&c=3", form_limits().fields_max(2)).error().status(),
              status::content_too_large);
    EXPECT_TRUE(form_fields::parse("a=12", form_limits().bytes_max(4)));
    EXPECT_EQ(form_fields::parse("a=123", form_limits().bytes_max(4)).error().status(),
              status::content_too_large);
}

TEST(form_fields, are_found_by_name) {
    const auto fields = form_fields::parse("a=1&b=2&a=3").value();
    EXPECT_EQ(fields.find("a"), "1");
    EXPECT_EQ(fields.find_all("a"), (std::vector<std::string_view>{"1", "3"}));
    EXPECT_EQ(fields.find("A"), std::nullopt);
    EXPECT_TRUE(fields.contains("b"));
    EXPECT_FALSE(fields.contains(""));
    EXPECT_EQ(fields.size(), 3U);
}

TEST(form_fields, come_back_from_their_encoding) {
    form_fields fields;
    fields.add("a b&=", "100% + \xff");
    fields.add("", "");
    EXPECT_EQ(seen(fields.encoded()), "[a b&=|100% + \xff][|]");
}

}  // namespace
}  // namespace eddy::http::form_fields_test
