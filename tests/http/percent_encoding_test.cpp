#include <eddy/http/message/percent_encoding.hpp>

#include <gtest/gtest.h>

#include <string>

namespace eddy::http::percent_encoding_test {
namespace {

using namespace std::string_literals;

TEST(percent_encoding, leaves_only_the_unreserved) {
    EXPECT_EQ(percent_encode("aZ09-._~"), "aZ09-._~");
    EXPECT_EQ(percent_encode("a b/c?&=%+\xc3\xa9\0"s), "a%20b%2Fc%3F%26%3D%25%2B%C3%A9%00");
}

TEST(percent_encoding, repairs_what_people_write) {
    EXPECT_EQ(percent_encode_invalid("http://a/b c?d=\"%20\"#\xc3\xa9"), "http://a/b%20c?d=%22%20%22#%C3%A9");
    EXPECT_EQ(percent_encode_invalid("http://a/\r\n"), "http://a/%0D%0A");
}

TEST(percent_encoding, comes_back_as_it_was) {
    std::string all;
    for (int byte = 0; byte < 256; ++byte)
        all.push_back(static_cast<char>(byte));
    EXPECT_EQ(percent_decode(percent_encode(all)), all);
    EXPECT_EQ(percent_decode("%2f+%C3"), "/+\xc3");
    for (const char* malformed : {"%", "%2", "%2g", "a%%20"})
        EXPECT_EQ(percent_decode(malformed), std::nullopt) << malformed;
}

}  // namespace
}  // namespace eddy::http::percent_encoding_test
