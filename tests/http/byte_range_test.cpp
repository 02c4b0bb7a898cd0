#include <eddy/http/message/detail/byte_range.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>

namespace eddy::http::byte_range_test {
namespace {

TEST(byte_range, all_three_forms_are_read) {
    EXPECT_EQ(parse_byte_range("bytes=0-0", 10), byte_range::partial(0, 0));
    EXPECT_EQ(parse_byte_range("bytes=2-5", 10), byte_range::partial(2, 5));
    EXPECT_EQ(parse_byte_range("bytes=0-9", 10), byte_range::partial(0, 9));
    EXPECT_EQ(parse_byte_range("bytes=5-", 10), byte_range::partial(5, 9));
    EXPECT_EQ(parse_byte_range("bytes=-3", 10), byte_range::partial(7, 9));
    EXPECT_EQ(parse_byte_range("Bytes=007-008", 10), byte_range::partial(7, 8));
    EXPECT_EQ(byte_range::partial(2, 5).length(), 4U);
}

TEST(byte_range, what_reaches_behind_the_end_stops_there) {
    EXPECT_EQ(parse_byte_range("bytes=5-10", 10), byte_range::partial(5, 9));
    EXPECT_EQ(parse_byte_range("bytes=9-99999999999999999999999999", 10), byte_range::partial(9, 9));
    EXPECT_EQ(parse_byte_range("bytes=-11", 10), byte_range::partial(0, 9));
    EXPECT_EQ(parse_byte_range("bytes=-99999999999999999999999999", 10), byte_range::partial(0, 9));
}

TEST(byte_range, what_starts_behind_the_end_cannot_be_satisfied) {
    for (std::string_view value :
         {"bytes=10-", "bytes=10-10", "bytes=18446744073709551615-", "bytes=18446744073709551616-",
          "bytes=99999999999999999999-99999999999999999999", "bytes=-0", "bytes=-00"}) {
        EXPECT_EQ(parse_byte_range(value, 10), byte_range::unsatisfiable()) << value;
    }
    EXPECT_EQ(parse_byte_range("bytes=0-", 0), byte_range::unsatisfiable());
    EXPECT_EQ(parse_byte_range("bytes=0-0", 0), byte_range::unsatisfiable());
    EXPECT_EQ(parse_byte_range("bytes=-1", 0), byte_range::whole());
    EXPECT_EQ(parse_byte_range("bytes=0-", UINT64_MAX), byte_range::partial(0, UINT64_MAX - 1));
}

TEST(byte_range, anything_else_gives_the_whole) {
    for (std::string_view value : {"",           "bytes",       "bytes=",     "bytes=-",     "bytes=5",
                                   "bytes=5-2",  "bytes=a-b",   "bytes=1-b",  "bytes=a-2",   "bytes=-a",
                                   "bytes=--1",  "bytes=1--2",  "bytes=+1-2", "bytes=1-+2",  "bytes= 1-2",
                                   "bytes=1 -2", "bytes=1- 2",  "bytes =1-2", "bytes=0x1-2", "bytes=1-2,3-4",
                                   "bytes=1-2,", ",bytes=1-2",  "items=1-2",  "byte=1-2",    "bytes:1-2",
                                   "1-2",        "bytes=1.0-2", "bytes=1-2;"}) {
        EXPECT_EQ(parse_byte_range(value, 10), byte_range::whole()) << value;
    }
}

TEST(byte_range, content_range_says_what_is_sent) {
    EXPECT_EQ(content_range(byte_range::partial(0, 99), 1000).text(), "bytes 0-99/1000");
    EXPECT_EQ(content_range(byte_range::unsatisfiable(), 1000).text(), "bytes */1000");
    EXPECT_EQ(content_range(byte_range::partial(UINT64_MAX - 1, UINT64_MAX - 1), UINT64_MAX).text(),
              "bytes 18446744073709551614-18446744073709551614/18446744073709551615");
}

}  // namespace
}  // namespace eddy::http::byte_range_test
