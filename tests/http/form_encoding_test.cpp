#include <eddy/http/message/detail/form_encoding.hpp>

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace eddy::http::form_encoding_test {
namespace {

using namespace std::string_literals;

std::string decoded(std::string_view text) {
    std::string out;
    return append_form_decoded(out, text) ? out : "malformed";
}

TEST(form_decoding, takes_escapes_in_either_case_and_leaves_the_rest) {
    EXPECT_EQ(decoded("a%20b%2fC%2F%c3%A9"), "a b/C/\xc3\xa9");
    EXPECT_EQ(decoded("%00"), "\0"s);
    EXPECT_EQ(decoded(""), "");
    EXPECT_EQ(decoded("%2525"), "%25");
}

TEST(form_decoding, makes_a_space_of_a_plus_but_not_of_an_escaped_one) {
    EXPECT_EQ(decoded("a+b%2Bc+"), "a b+c ");
}

TEST(form_decoding, refuses_a_malformed_escape_wherever_it_stands) {
    for (const std::string_view text : {"%", "%2", "a%", "%zz", "%2g", "%%20", "% 20", "%-1", "+%"})
        EXPECT_EQ(decoded(text), "malformed") << text;
}

TEST(form_encoding, comes_back_for_every_byte) {
    std::string all;
    for (int byte = 0; byte < 256; ++byte)
        all += static_cast<char>(byte);
    std::string encoded;
    append_form_encoded(encoded, all);
    EXPECT_EQ(decoded(encoded), all);
    EXPECT_EQ(encoded.find(' '), std::string::npos);
    std::string some;
    append_form_encoded(some, "aZ09-._~ /?");
    EXPECT_EQ(some, "aZ09-._~+%2F%3F");
}

}  // namespace
}  // namespace eddy::http::form_encoding_test
