#include <eddy/http/message/detail/byte_ranges.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace eddy::http::byte_ranges_test {
namespace {

// "whole", "none", or the parts as "a-b a-b".
std::string parsed(std::string_view value, std::uint64_t size = 10'000) {
    const byte_ranges found = parse_byte_ranges(value, size);
    if (found.kind() != range_kind::partial)
        return found.kind() == range_kind::whole ? "whole" : "none";
    std::string text;
    for (const byte_range& part : found.parts())
        text += (text.empty() ? "" : " ") + std::to_string(part.first()) + "-" + std::to_string(part.last());
    return text;
}

TEST(byte_ranges, are_read_in_their_order) {
    EXPECT_EQ(parsed("bytes=0-9"), "0-9");
    EXPECT_EQ(parsed("bytes=0-9,1000-1009"), "0-9 1000-1009");
    EXPECT_EQ(parsed("bytes=5000-,0-9"), "5000-9999 0-9");
    EXPECT_EQ(parsed("bytes=0-0 ,\t500-500,, -1"), "0-0 500-500 9999-9999");
}

TEST(byte_ranges, that_touch_become_one) {
    EXPECT_EQ(parsed("bytes=0-9,10-19"), "0-19");
    EXPECT_EQ(parsed("bytes=0-9,5-19"), "0-19");
    EXPECT_EQ(parsed("bytes=100-199,0-9,20-90"), "0-199");
    EXPECT_EQ(parsed("bytes=0-,0-,0-"), "0-9999");
    EXPECT_EQ(parsed("bytes=0-9,89-99"), "0-99");  // the gap is smaller than a part's head
    EXPECT_EQ(parsed("bytes=0-9,90-99"), "0-9 90-99");
    EXPECT_EQ(parsed("bytes=1000-1009,0-9,9-1000,5000-5000"), "0-1009 5000-5000");
    EXPECT_EQ(parsed("bytes=0-18446744073709551615,-1", UINT64_MAX), "0-18446744073709551614");
}

TEST(byte_ranges, that_cannot_be_satisfied_are_left_out) {
    EXPECT_EQ(parsed("bytes=20000-,0-9"), "0-9");
    EXPECT_EQ(parsed("bytes=20000-,-0"), "none");
    EXPECT_EQ(parsed("bytes=20000-"), "none");
    EXPECT_EQ(parsed("bytes=0-,5-", 0), "none");
}

TEST(byte_ranges, are_passed_over_if_one_is_malformed) {
    for (const auto value : {"", "bytes=", "bytes=,", "bytes=0-9,x", "bytes=0-9,5", "bytes=9-0,0-9",
                             "bytes=0-9;10-19", "items=0-9,20-29", "bytes=0-9,1 0-20", "bytes=-5,a-"})
        EXPECT_EQ(parsed(value), "whole") << value;
}

TEST(byte_ranges, are_passed_over_if_there_are_too_many) {
    std::string value = "bytes=0-0";
    for (std::size_t i = 1; i < byte_ranges::count_max; ++i)
        value += "," + std::to_string(i * 500) + "-" + std::to_string(i * 500);
    EXPECT_EQ(parse_byte_ranges(value, 10'000).parts().size(), byte_ranges::count_max);
    EXPECT_EQ(parsed(value + ",9999-9999"), "whole");
}

TEST(a_multipart_body, is_laid_out_as_its_size_says) {
    const byte_ranges ranges = parse_byte_ranges("bytes=0-2,500-503", 1000);
    const multipart_ranges body(ranges, 1000, "text/plain", "separator");
    EXPECT_EQ(body.content_type(), "multipart/byteranges; boundary=separator");
    const std::string whole = body.head(0) + "abc" + body.head(1) + "defg" + body.tail();
    EXPECT_EQ(whole,
              "--separator\r\nContent-Type: text/plain\r\nContent-Range: bytes 0-2/1000\r\n\r\nabc"
              "\r\n--separator\r\nContent-Type: text/plain\r\nContent-Range: bytes 500-503/1000\r\n\r\ndefg"
              "\r\n--separator--\r\n");
    EXPECT_EQ(body.body_bytes(), whole.size());
}

}  // namespace
}  // namespace eddy::http::byte_ranges_test
