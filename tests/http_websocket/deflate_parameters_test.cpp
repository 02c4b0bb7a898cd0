#include <eddy/http/websocket/detail/deflate_parameters.hpp>

#include <gtest/gtest.h>

#include <string_view>

namespace eddy::http::deflate_parameters_test {
namespace {

std::string answer_to(std::string_view offers, const deflate_parameters& wanted = {}) {
    const auto agreed = accept_deflate_offer(offers, wanted);
    return agreed ? deflate_response(*agreed) : "none";
}

bool is_right(std::string_view response, const deflate_parameters& wanted = {}) {
    return check_deflate_response(response, wanted).is_valid();
}

TEST(a_server, agrees_to_what_is_offered) {
    EXPECT_EQ(answer_to("permessage-deflate"), "permessage-deflate");
    EXPECT_EQ(answer_to("Permessage-Deflate ; client_max_window_bits"), "permessage-deflate");
    EXPECT_EQ(answer_to("permessage-deflate; server_no_context_takeover; client_no_context_takeover"),
              "permessage-deflate; server_no_context_takeover; client_no_context_takeover");
    EXPECT_EQ(answer_to("permessage-deflate; server_max_window_bits=10"),
              "permessage-deflate; server_max_window_bits=10");
    EXPECT_EQ(answer_to("permessage-deflate; server_max_window_bits=\"10\""),
              "permessage-deflate; server_max_window_bits=10");
    EXPECT_EQ(answer_to("permessage-deflate; server_max_window_bits=15"),
              "permessage-deflate; server_max_window_bits=15");
    EXPECT_EQ(answer_to("permessage-deflate; client_max_window_bits=9"),
              "permessage-deflate; client_max_window_bits=9");
}

TEST(a_server, asks_for_what_it_wants_where_the_client_understands_it) {
    const auto wanted = deflate_parameters().client_window_bits(10).server_no_context_takeover(true);
    EXPECT_EQ(answer_to("permessage-deflate; client_max_window_bits", wanted),
              "permessage-deflate; server_no_context_takeover; client_max_window_bits=10");
    EXPECT_EQ(answer_to("permessage-deflate", wanted), "none");
    EXPECT_EQ(answer_to("permessage-deflate; client_max_window_bits=8", wanted),
              "permessage-deflate; server_no_context_takeover; client_max_window_bits=8");
}

TEST(a_server, takes_the_first_offer_that_is_right) {
    EXPECT_EQ(answer_to("x-webkit-deflate-frame, permessage-deflate; unknown, permessage-deflate; "
                        "server_max_window_bits=12, permessage-deflate"),
              "permessage-deflate; server_max_window_bits=12");
    EXPECT_EQ(answer_to(", ,other; a=1; b=\"2\",,permessage-deflate"), "permessage-deflate");
    EXPECT_EQ(answer_to(""), "none");
    EXPECT_EQ(answer_to("permessage-bzip2"), "none");
}

TEST(a_server, declines_offers_that_section_7_1_of_rfc_7692_does_not_allow) {
    for (const std::string_view wrong :
         {"permessage-deflate; server_max_window_bits", "permessage-deflate; server_max_window_bits=7",
          "permessage-deflate; server_max_window_bits=16", "permessage-deflate; server_max_window_bits=08",
          "permessage-deflate; server_max_window_bits=+9", "permessage-deflate; client_max_window_bits=0",
          "permessage-deflate; client_max_window_bits=100",
          "permessage-deflate; server_no_context_takeover=1",
          "permessage-deflate; client_no_context_takeover=\"\"", "permessage-deflate; unknown",
          "permessage-deflate; server_no_context_takeover; server_no_context_takeover",
          "permessage-deflate; client_max_window_bits; client_max_window_bits",
          "permessage-deflate; server_max_window_bits=\"10", "permessage-deflate;",
          "permessage-deflate server"})
        EXPECT_EQ(answer_to(wrong), "none") << wrong;
}

TEST(a_client, offers_what_it_wants) {
    EXPECT_EQ(deflate_offer({}), "permessage-deflate; client_max_window_bits");
    EXPECT_EQ(deflate_offer(deflate_parameters()
                                .client_window_bits(12)
                                .server_window_bits(11)
                                .client_no_context_takeover(true)
                                .server_no_context_takeover(true)),
              "permessage-deflate; server_no_context_takeover; client_no_context_takeover; "
              "server_max_window_bits=11; client_max_window_bits=12");
}

TEST(a_client, takes_answers_that_fit_its_offer) {
    EXPECT_TRUE(is_right(""));
    EXPECT_FALSE(check_deflate_response("", {}).agreed());
    EXPECT_TRUE(is_right("permessage-deflate"));
    const auto agreement = check_deflate_response(
        "permessage-deflate; server_max_window_bits=9; client_max_window_bits=10; client_no_context_takeover",
        {});
    ASSERT_TRUE(agreement.agreed());
    EXPECT_EQ(
        *agreement.agreed(),
        deflate_parameters().server_window_bits(9).client_window_bits(10).client_no_context_takeover(true));
}

TEST(a_client, refuses_answers_that_do_not) {
    for (const std::string_view wrong :
         {"permessage-deflate; client_max_window_bits", "permessage-deflate; unknown=1", "other",
          "permessage-deflate, permessage-deflate", "permessage-deflate; server_max_window_bits=16",
          "permessage-deflate; server_max_window_bits=9; server_max_window_bits=9", "=",
          "permessage-deflate; ="})
        EXPECT_FALSE(is_right(wrong)) << wrong;
    EXPECT_FALSE(is_right("permessage-deflate", deflate_parameters().server_no_context_takeover(true)));
    EXPECT_FALSE(is_right("permessage-deflate", deflate_parameters().server_window_bits(10)));
    EXPECT_FALSE(is_right("permessage-deflate; client_max_window_bits=12",
                          deflate_parameters().client_window_bits(10)));
}

}  // namespace
}  // namespace eddy::http::deflate_parameters_test
