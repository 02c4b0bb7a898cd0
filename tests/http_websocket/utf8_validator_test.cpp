#include <eddy/http/websocket/utf8_validator.hpp>
#include <eddy/io/buffer.hpp>

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace eddy::http::utf8_validator_test {
namespace {

/// A code point in the form of so many bytes, right or not.
std::string encoded(std::uint32_t point, int bytes) {
    if (bytes == 1)
        return {static_cast<char>(point)};
    std::string text;
    for (int at = 1; at < bytes; ++at, point >>= 6)
        text.insert(text.begin(), static_cast<char>(0x80 | (point & 0x3f)));
    const std::uint32_t lead = 0xff00U >> bytes;
    text.insert(text.begin(), static_cast<char>((lead & 0xff) | point));
    return text;
}

int shortest(std::uint32_t point) {
    if (point < 0x80)
        return 1;
    if (point < 0x800)
        return 2;
    return point < 0x10000 ? 3 : 4;
}

TEST(a_utf8_validator, takes_each_code_point_but_surrogates_in_its_shortest_form_only) {
    for (std::uint32_t point = 0; point < 0x120000; ++point) {
        const bool exists = point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
        ASSERT_EQ(is_utf8(as_bytes(encoded(point, shortest(point)))), exists) << point;
    }
    for (std::uint32_t point = 0; point < 0x10000; ++point)
        for (int bytes = shortest(point) + 1; bytes <= 4; ++bytes)
            ASSERT_FALSE(is_utf8(as_bytes(encoded(point, bytes)))) << point << " in " << bytes;
}

TEST(a_utf8_validator, refuses_at_the_first_wrong_byte) {
    // Cases 6.3 and 6.4 of the Autobahn suite: the fourth byte is beyond U+10FFFF.
    const std::string_view text = "\xce\xba\xe1\xbd\xb9\xf4\x90\x80\x80 edited";
    utf8_validator validator;
    for (std::size_t at = 0; at < text.size(); ++at)
        ASSERT_EQ(validator.append(as_bytes(text.substr(at, 1))), at < 6) << at;
}

TEST(a_utf8_validator, refuses_bytes_that_begin_no_character) {
    for (const std::string_view wrong :
         {"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xf5\x80\x80\x80", "\xfe", "\xff", "\xc3\x28",
          "\xe2\x28\xa1", "\xe2\x82\x28", "\xf0\x9f\x98\x28"})
        EXPECT_FALSE(is_utf8(as_bytes(wrong)));
}

TEST(a_utf8_validator, does_not_mind_where_a_text_is_cut) {
    const std::string text =
        "plain, then \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 and forty more plain characters again";
    for (std::size_t first = 0; first <= text.size(); ++first)
        for (std::size_t second = first; second <= text.size(); ++second) {
            utf8_validator validator;
            ASSERT_TRUE(validator.append(as_bytes(text.substr(0, first))));
            ASSERT_TRUE(validator.append(as_bytes(text.substr(first, second - first))));
            ASSERT_TRUE(validator.append(as_bytes(text.substr(second))));
            ASSERT_TRUE(validator.is_complete());
        }
}

TEST(a_utf8_validator, knows_a_character_that_has_not_ended) {
    utf8_validator validator;
    EXPECT_TRUE(validator.append(as_bytes("\xf0\x9f\x98")));
    EXPECT_FALSE(validator.is_complete());
    EXPECT_TRUE(validator.append(as_bytes("\x80")));
    EXPECT_TRUE(validator.is_complete());
}

TEST(a_utf8_validator, finds_a_wrong_byte_at_any_place_of_a_plain_text) {
    for (std::size_t at = 0; at < 100; ++at) {
        std::string text(100, 'a');
        text[at] = '\x80';
        ASSERT_FALSE(is_utf8(as_bytes(text))) << at;
    }
}

}  // namespace
}  // namespace eddy::http::utf8_validator_test
