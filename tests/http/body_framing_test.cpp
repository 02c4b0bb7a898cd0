#include <eddy/http/message/detail/body_framing.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>

// How requests are framed by their fields is tested with the request parser, on whole requests.
namespace eddy::http::body_framing_test {
namespace {

TEST(body_framing, a_length_of_zero_is_no_body) {
    EXPECT_EQ(body_framing::of_length(0), body_framing::none());
    EXPECT_EQ(body_framing::of_length(1).kind(), body_kind::length);
    EXPECT_EQ(body_framing::of_length(1).length(), 1U);
    EXPECT_EQ(body_framing::chunked().length(), 0U);
}

TEST(body_framing, a_content_length_is_digits_and_nothing_else) {
    EXPECT_EQ(parse_content_length("0"), std::uint64_t{0});
    EXPECT_EQ(parse_content_length("007"), std::uint64_t{7});
    EXPECT_EQ(parse_content_length("9999999999999999999"), std::uint64_t{9999999999999999999U});
    for (std::string_view value : {"", " 1", "1 ", "+1", "-1", "0x1", "1,1", "1e3", "1_0", "\xef\xbc\x91",
                                   "10000000000000000000", "00000000000000000001"}) {
        const auto length = parse_content_length(value);
        ASSERT_FALSE(length) << value;
        EXPECT_EQ(length.error().status(), status::bad_request);
    }
}

}  // namespace
}  // namespace eddy::http::body_framing_test
