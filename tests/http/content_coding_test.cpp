#include <eddy/http/message/detail/content_coding.hpp>

#include <gtest/gtest.h>

namespace eddy::http::content_coding_test {
namespace {

TEST(a_content_coding, is_known_by_its_name_in_any_case) {
    for (const auto coding :
         {content_coding::identity, content_coding::gzip, content_coding::deflate, content_coding::brotli})
        EXPECT_EQ(content_coding_from(to_string(coding)), coding);
    EXPECT_EQ(content_coding_from("GZip"), content_coding::gzip);
    EXPECT_EQ(content_coding_from("x-gzip"), content_coding::gzip);
    EXPECT_EQ(to_string(content_coding::brotli), "br");
    EXPECT_EQ(content_coding_from("brotli"), std::nullopt);
    EXPECT_EQ(content_coding_from(""), std::nullopt);
}

}  // namespace
}  // namespace eddy::http::content_coding_test
