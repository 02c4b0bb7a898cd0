#include <eddy/http/message/date.hpp>

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>

namespace eddy::http::date_test {
namespace {

constexpr std::int64_t now = 1'700'000'000;  // 2023-11-14

std::string formatted(std::int64_t unix_seconds) {
    std::array<char, date_size> text;
    format_date(unix_seconds, text);
    return {text.data(), text.size()};
}

TEST(date, formats_the_preferred_form) {
    EXPECT_EQ(formatted(784111777), "Sun, 06 Nov 1994 08:49:37 GMT");
    EXPECT_EQ(formatted(0), "Thu, 01 Jan 1970 00:00:00 GMT");
    EXPECT_EQ(formatted(-1), "Wed, 31 Dec 1969 23:59:59 GMT");
    EXPECT_EQ(formatted(951782400), "Tue, 29 Feb 2000 00:00:00 GMT");
    EXPECT_EQ(formatted(4102444799), "Thu, 31 Dec 2099 23:59:59 GMT");
}

TEST(date, times_out_of_range_are_brought_inside) {
    EXPECT_EQ(formatted(INT64_MIN), "Mon, 01 Jan 0001 00:00:00 GMT");
    EXPECT_EQ(formatted(INT64_MAX), "Fri, 31 Dec 9999 23:59:59 GMT");
}

TEST(date, all_three_forms_are_read) {
    EXPECT_EQ(parse_date("Sun, 06 Nov 1994 08:49:37 GMT", now), 784111777);
    EXPECT_EQ(parse_date("Sunday, 06-Nov-94 08:49:37 GMT", now), 784111777);
    EXPECT_EQ(parse_date("Sun Nov  6 08:49:37 1994", now), 784111777);
    EXPECT_EQ(parse_date("Wed Nov 16 08:49:37 1994", now), 784111777 + 10 * 86400);
}

TEST(date, what_is_formatted_is_read_back) {
    for (std::int64_t time = -62135596800; time < 253402300799; time += 86400 * 97 + 12345) {
        ASSERT_EQ(parse_date(formatted(time), now), time) << formatted(time);
    }
}

TEST(date, a_two_digit_year_is_at_most_fifty_ahead) {
    const auto year_of = [](std::string_view digits, std::int64_t at) {
        const auto time = parse_date("Monday, 01-Jul-" + std::string(digits) + " 00:00:00 GMT", at);
        return time ? formatted(*time).substr(12, 4) : "none";
    };
    EXPECT_EQ(year_of("23", now), "2023");
    EXPECT_EQ(year_of("73", now), "2073");
    EXPECT_EQ(year_of("74", now), "1974");
    EXPECT_EQ(year_of("99", now), "1999");
    EXPECT_EQ(year_of("00", 946684799), "2000") << "asked in 1999";
    EXPECT_EQ(year_of("10", 4102444799), "2110") << "asked in 2099";
}

TEST(date, a_leap_second_is_the_second_after) {
    EXPECT_EQ(parse_date("Sat, 31 Dec 2016 23:59:60 GMT", now), 1483228800);
}

TEST(date, refuses_what_is_no_date) {
    for (std::string_view text : {"",
                                  "0",
                                  "Sun",
                                  "Sun, 06 Nov 1994 08:49:37",
                                  "Sun, 06 Nov 1994 08:49:37 UTC",
                                  "Sun, 06 Nov 1994 08:49:37 GMT ",
                                  "Sun, 6 Nov 1994 08:49:37 GMT",
                                  "sun, 06 Nov 1994 08:49:37 GMT",
                                  "Sun, 06 nov 1994 08:49:37 GMT",
                                  "Xxx, 06 Nov 1994 08:49:37 GMT",
                                  "Sun, 06 Xxx 1994 08:49:37 GMT",
                                  "unM, 06 Nov 1994 08:49:37 GMT",
                                  "Sun, 31 Nov 1994 08:49:37 GMT",
                                  "Sun, 29 Feb 1900 08:49:37 GMT",
                                  "Sun, 00 Nov 1994 08:49:37 GMT",
                                  "Sun, 06 Nov 1994 24:49:37 GMT",
                                  "Sun, 06 Nov 1994 08:60:37 GMT",
                                  "Sun, 06 Nov 1994 08:49:61 GMT",
                                  "Sun, 06 Nov 1994 08:49:60 GMT",
                                  "Sun, 06 Nov 94 08:49:37 GMT",
                                  "Sun, 06-Nov-94 08:49:37 GMT",
                                  "Sunday, 06 Nov 1994 08:49:37 GMT",
                                  "Sunday, 06-Nov-1994 08:49:37 GMT",
                                  "Sunday,06-Nov-94 08:49:37 GMT",
                                  "Sun Nov 6 08:49:37 1994",
                                  "Sun Nov 06 08:49:37 94",
                                  "Sun Nov  0 08:49:37 1994",
                                  "Sun Nov  6 08:49:37 1994 GMT",
                                  "Sun, +6 Nov 1994 08:49:37 GMT",
                                  "Sun, 06 Nov 1994 08-49-37 GMT",
                                  "Sunday",
                                  "Sunday, "}) {
        EXPECT_EQ(parse_date(text, now), std::nullopt) << text;
    }
}

TEST(date, every_prefix_of_a_date_is_none) {
    for (std::string_view date :
         {"Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"}) {
        for (std::size_t size = 0; size < date.size(); ++size) {
            EXPECT_EQ(parse_date(date.substr(0, size), now), std::nullopt) << date.substr(0, size);
        }
    }
}

TEST(date, a_cache_follows_the_time_it_is_given) {
    date_cache cache;
    EXPECT_EQ(cache.at(INT64_MIN), formatted(INT64_MIN));
    EXPECT_EQ(cache.at(784111777), "Sun, 06 Nov 1994 08:49:37 GMT");
    const auto* const text = cache.at(784111777).data();
    EXPECT_EQ(cache.at(784111777).data(), text);
    EXPECT_EQ(cache.at(784111778), "Sun, 06 Nov 1994 08:49:38 GMT");
    EXPECT_EQ(cache.at(784111777), "Sun, 06 Nov 1994 08:49:37 GMT") << "time may go back";
}

}  // namespace
}  // namespace eddy::http::date_test
