#include <eddy/http/message/status.hpp>

#include <gtest/gtest.h>

namespace eddy::http::status_test {
namespace {

TEST(status, has_the_reason_phrases_of_the_rfc) {
    EXPECT_EQ(reason_phrase(status::ok), "OK");
    EXPECT_EQ(reason_phrase(status::not_found), "Not Found");
    EXPECT_EQ(reason_phrase(status::content_too_large), "Content Too Large");
    EXPECT_EQ(reason_phrase(status::http_version_not_supported), "HTTP Version Not Supported");
    EXPECT_EQ(reason_phrase(static_cast<status>(599)), "");
}

TEST(status, knows_which_answers_have_no_body) {
    EXPECT_TRUE(forbids_body(status::continue_request));
    EXPECT_TRUE(forbids_body(status::switching_protocols));
    EXPECT_TRUE(forbids_body(status::no_content));
    EXPECT_TRUE(forbids_body(status::not_modified));
    EXPECT_FALSE(forbids_body(status::ok));
    EXPECT_FALSE(forbids_body(status::reset_content));
    EXPECT_FALSE(forbids_body(status::bad_request));
    EXPECT_TRUE(is_interim(status::early_hints));
    EXPECT_FALSE(is_interim(status::ok));
}

}  // namespace
}  // namespace eddy::http::status_test
