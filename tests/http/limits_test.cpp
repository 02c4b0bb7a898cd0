#include <eddy/http/message/limits.hpp>

#include <gtest/gtest.h>

namespace eddy::http::limits_test {
namespace {

TEST(limits, setters_chain_and_are_read_back) {
    const auto limits = message_limits()
                            .request_line_bytes_max(1)
                            .method_bytes_max(2)
                            .head_bytes_max(3)
                            .header_count_max(4)
                            .leading_empty_lines_max(5)
                            .body_bytes_max(6)
                            .chunk_extension_bytes_max(7)
                            .trailer_bytes_max(8);
    EXPECT_EQ(limits.request_line_bytes_max(), 1U);
    EXPECT_EQ(limits.method_bytes_max(), 2U);
    EXPECT_EQ(limits.head_bytes_max(), 3U);
    EXPECT_EQ(limits.header_count_max(), 4U);
    EXPECT_EQ(limits.leading_empty_lines_max(), 5U);
    EXPECT_EQ(limits.body_bytes_max(), 6U);
    EXPECT_EQ(limits.chunk_extension_bytes_max(), 7U);
    EXPECT_EQ(limits.trailer_bytes_max(), 8U);
}

TEST(limits, allow_a_hundred_fields_by_default) {
    EXPECT_EQ(message_limits().header_count_max(), 100U);
}

TEST(limits, what_the_parser_cannot_hold_is_capped) {
    const auto limits = message_limits().head_bytes_max(1 << 20).header_count_max(1000);
    EXPECT_EQ(limits.head_bytes_max(), message_limits::head_bytes_cap);
    EXPECT_EQ(limits.header_count_max(), message_limits::header_count_cap);
}

}  // namespace
}  // namespace eddy::http::limits_test
