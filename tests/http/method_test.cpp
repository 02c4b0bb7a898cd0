#include <eddy/http/message/method.hpp>

#include <gtest/gtest.h>

#include <string>

namespace eddy::http::method_test {
namespace {

TEST(method, each_known_name_is_recognised_and_spelled) {
    for (method which : {method::get, method::head, method::post, method::put, method::delete_,
                         method::connect, method::options, method::trace, method::patch}) {
        EXPECT_EQ(method_from(to_string(which)), which) << to_string(which);
    }
}

TEST(method, anything_else_is_other) {
    for (const char* name : {"", "get", "GETS", "GE", "Post", "PUTT", "OPTION", "BREW", "G T", "DELETED"}) {
        EXPECT_EQ(method_from(name), method::other) << name;
    }
    EXPECT_EQ(to_string(method::other), "");
}

TEST(method, safe_and_idempotent_are_as_the_rfc_says) {
    EXPECT_TRUE(is_safe(method::head));
    EXPECT_FALSE(is_safe(method::put));
    EXPECT_TRUE(is_idempotent(method::delete_));
    EXPECT_FALSE(is_idempotent(method::post));
    EXPECT_FALSE(is_idempotent(method::patch));
    EXPECT_FALSE(is_safe(method::other));
}

TEST(method, a_token_is_made_of_the_77_bytes_of_the_rfc) {
    int count = 0;
    for (int byte = 0; byte < 256; ++byte) {
        count += is_token(std::string(1, static_cast<char>(byte))) ? 1 : 0;
    }
    EXPECT_EQ(count, 77);
    EXPECT_FALSE(is_token(""));
    EXPECT_TRUE(is_token("!#$%&'*+-.^_`|~09azAZ"));
    for (char separator : std::string("()<>@,;:\\\"/[]?={} \t\r\n\x7f")) {
        EXPECT_FALSE(is_token(std::string("a") + separator)) << separator;
    }
}

}  // namespace
}  // namespace eddy::http::method_test
