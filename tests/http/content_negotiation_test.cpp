#include <eddy/http/message/detail/content_negotiation.hpp>

#include <gtest/gtest.h>

#include <array>
#include <string_view>

namespace eddy::http::content_negotiation_test {
namespace {

constexpr std::array<std::string_view, 3> offered = {"text/html", "application/json",
                                                     "text/plain;format=flowed"};

int best(std::string_view accept) {
    const auto found = best_media_type(accept, offered);
    return found ? static_cast<int>(*found) : -1;
}

TEST(accept, without_a_wish_takes_the_first_on_offer) {
    EXPECT_EQ(best(""), 0);
    EXPECT_EQ(best("*/*"), 0);
    EXPECT_EQ(best(" , ,"), 0);
    EXPECT_EQ(best("nonsense"), 0);
}

TEST(accept, takes_the_heaviest) {
    EXPECT_EQ(best("text/html;q=0.5, application/json"), 1);
    EXPECT_EQ(best("text/html;q=0.5, application/json;q=0.501"), 1);
    EXPECT_EQ(best("text/*;q=0.3, */*;q=0.2"), 0);
    EXPECT_EQ(best("TEXT/HTML;Q=0.1, Application/JSON;Q=0.2"), 1);
}

TEST(accept, lets_the_most_specific_range_decide) {
    // RFC 9110 section 12.5.1.
    EXPECT_EQ(best("text/*;q=0.3, text/plain;q=0.2, text/plain;format=flowed, */*;q=0.1"), 2);
    EXPECT_EQ(best("*/*, text/html;q=0"), 1);
    EXPECT_EQ(best("text/html;q=0, */*;q=0.1, application/*;q=0"), 2);
}

TEST(accept, of_nothing_on_offer_gives_nothing) {
    EXPECT_EQ(best("image/png"), -1);
    EXPECT_EQ(best("*/*;q=0"), -1);
    EXPECT_EQ(best("text/plain;format=fixed"), -1);
}

TEST(accept, leaves_out_what_is_malformed) {
    EXPECT_EQ(best("text/html;q=2, application/json;q=0.1"), 1);
    EXPECT_EQ(best("text/html;q=abc, application/json;q=0.1"), 1);
    EXPECT_EQ(best("text/html;q=0.1234, application/json;q=0.1"), 1);
    EXPECT_EQ(best("/, text//html, application/json;q=0.001"), 1);
}

TEST(accept_language, takes_ranges_by_prefix) {
    constexpr std::array<std::string_view, 3> languages = {"en", "de-CH", "fr"};
    EXPECT_EQ(best_language("de, en;q=0.5", languages), 1U);
    EXPECT_EQ(best_language("fr-CA, fr;q=0.9, en;q=0.8", languages), 2U);
    EXPECT_EQ(best_language("DE-ch;q=0.1, *;q=0.05", languages), 1U);
    EXPECT_EQ(best_language("it", languages), std::nullopt);
    EXPECT_EQ(best_language("", languages), 0U);
    EXPECT_EQ(best_language("d", languages), std::nullopt);
}

}  // namespace
}  // namespace eddy::http::content_negotiation_test
