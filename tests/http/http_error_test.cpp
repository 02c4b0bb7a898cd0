#include <eddy/http/message/http_error.hpp>

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace eddy::http::http_error_test {
namespace {

TEST(http_error, has_a_text_of_its_own_for_each) {
    std::set<std::string> texts;
    for (int value = 1; value <= 21; ++value)
        texts.insert(std::error_code(static_cast<http_error>(value)).message());
    EXPECT_EQ(texts.size(), 21U);
    EXPECT_FALSE(texts.contains("unknown HTTP error"));
}

TEST(http_error, of_a_time_limit_is_timed_out) {
    for (const http_error late :
         {http_error::pool_timed_out, http_error::connect_timed_out, http_error::first_byte_timed_out,
          http_error::idle_timed_out, http_error::total_timed_out})
        EXPECT_EQ(std::error_code(late), std::errc::timed_out);
    EXPECT_NE(std::error_code(http_error::truncated), std::errc::timed_out);
}

}  // namespace
}  // namespace eddy::http::http_error_test
