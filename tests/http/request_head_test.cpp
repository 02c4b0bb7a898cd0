#include <eddy/http/codec/detail/request_parser.hpp>

#include <gtest/gtest.h>

#include <string>

// What a head says of a request is tested with the request parser; here is how it holds on to the bytes.
namespace eddy::http::request_head_test {
namespace {

TEST(request_head, follows_the_bytes_when_they_move) {
    const message_limits limits;
    request_parser parser(limits);
    std::string bytes = "GET /a HTTP/1.1\r\nHost: a\r\nX: before\r\n\r\n";
    ASSERT_EQ(parser.parse(bytes).state(), parse_state::complete);
    std::string moved = bytes;
    bytes.assign(bytes.size(), '?');
    const request_head head = parser.head(moved);
    EXPECT_EQ(head.find("x"), "before");
    EXPECT_EQ(head.find("x")->data(), moved.data() + moved.find("before")) << "it copies nothing";
}

TEST(request_head, is_small_enough_to_pass_by_value_and_the_parser_to_keep) {
    EXPECT_EQ(sizeof(request_head), 2 * sizeof(void*));
    EXPECT_LE(sizeof(request_parser), message_limits::header_count_cap * sizeof(field_line) + 256);
}

}  // namespace
}  // namespace eddy::http::request_head_test
