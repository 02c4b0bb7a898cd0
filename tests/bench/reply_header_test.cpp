#include "load/reply_header.hpp"

#include <gtest/gtest.h>

#include <string>

namespace reply_header_test {
namespace {

using bench::parse_reply_header;

TEST(reply_header, the_content_length_is_found_whatever_its_case) {
    EXPECT_EQ(parse_reply_header("HTTP/1.1 200 OK\r\nServer: x\r\nCONTENT-length: 13 \r\n\r\n"), 13u);
}

TEST(reply_header, other_statuses_and_versions_are_refused) {
    EXPECT_FALSE(parse_reply_header("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"));
    EXPECT_FALSE(parse_reply_header("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n"));
}

TEST(reply_header, the_length_is_there_once_and_in_digits) {
    EXPECT_FALSE(parse_reply_header("HTTP/1.1 200 OK\r\n\r\n"));
    EXPECT_FALSE(parse_reply_header("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n"));
    for (const char* length : {"", "-1", "+1", "0x1", "1 1", "99999999999999999999"})
        EXPECT_FALSE(
            parse_reply_header(std::string("HTTP/1.1 200 OK\r\nContent-Length: ") + length + "\r\n\r\n"))
            << length;
}

TEST(reply_header, a_chunked_reply_is_refused) {
    EXPECT_FALSE(
        parse_reply_header("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"));
}

TEST(reply_header, a_line_without_a_name_or_an_end_is_refused) {
    EXPECT_FALSE(parse_reply_header("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nnonsense\r\n\r\n"));
    EXPECT_FALSE(parse_reply_header("HTTP/1.1 200 OK\r\nContent-Length: 1"));
    EXPECT_FALSE(parse_reply_header("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n: x\r\n\r\n"));
}

}  // namespace
}  // namespace reply_header_test
