#include <eddy/integrations/pq/converter.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>

namespace eddy::pq::converter_test {
namespace {

using namespace std::chrono_literals;
using std::chrono::sys_days;

template <class T>
std::string text_of(const T& value) {
    std::string out;
    converter<T>::to_text(value, out);
    return out;
}

TEST(converter, reads_what_it_writes_of_numbers) {
    for (const std::int64_t value : {std::numeric_limits<std::int64_t>::min(), std::int64_t{-1},
                                     std::int64_t{0}, std::numeric_limits<std::int64_t>::max()})
        EXPECT_EQ(converter<std::int64_t>::from_text(text_of(value)), value);
    for (const double value : {0.1, -1e300, 5e-324, std::numeric_limits<double>::infinity()})
        EXPECT_EQ(converter<double>::from_text(text_of(value)), value);
    EXPECT_EQ(converter<bool>::from_text(text_of(true)), true);
    EXPECT_EQ(converter<bool>::from_text("f"), false);
}

TEST(converter, refuses_numbers_that_do_not_fit) {
    EXPECT_EQ(converter<std::int16_t>::from_text("32768"), std::nullopt);
    EXPECT_EQ(converter<unsigned>::from_text("-1"), std::nullopt);
    EXPECT_EQ(converter<int>::from_text("1.5"), std::nullopt);
    EXPECT_EQ(converter<int>::from_text(""), std::nullopt);
    EXPECT_EQ(converter<int>::from_text("1 "), std::nullopt);
    EXPECT_EQ(converter<bool>::from_text("yes"), std::nullopt);
    EXPECT_EQ(converter<double>::from_text("a"), std::nullopt);
}

TEST(converter, takes_a_decimal_as_it_is) {
    EXPECT_EQ(converter<numeric>::from_text("123456789012345678901234567890.10"),
              numeric("123456789012345678901234567890.10"));
    EXPECT_EQ(converter<numeric>::from_text("NaN"), numeric("NaN"));
    EXPECT_EQ(converter<numeric>::from_text("1,5"), std::nullopt);
    EXPECT_EQ(text_of(numeric("0.10")), "0.10");
}

TEST(converter, reads_times_with_offsets) {
    const timestamp noon = sys_days(2026y / 1 / 31) + 12h;
    EXPECT_EQ(converter<timestamp>::from_text("2026-01-31 12:00:00+00"), noon);
    EXPECT_EQ(converter<timestamp>::from_text("2026-01-31 14:00:00+02"), noon);
    EXPECT_EQ(converter<timestamp>::from_text("2026-01-31 08:30:00-03:30"), noon);
    EXPECT_EQ(converter<timestamp>::from_text("2026-01-31 12:19:32+00:19:32"), noon);
    EXPECT_EQ(converter<timestamp>::from_text("2026-01-31 12:00:00.5+00"), noon + 500ms);
    EXPECT_EQ(converter<timestamp>::from_text("2026-01-31 12:00:00.000001+00"), noon + 1us);
    EXPECT_EQ(converter<timestamp>::from_text("infinity"), timestamp::max());
    EXPECT_EQ(converter<timestamp>::from_text("-infinity"), timestamp::min());
}

TEST(converter, reads_years_before_christ) {
    const timestamp ides = sys_days(std::chrono::year(-43) / 3 / 15);
    EXPECT_EQ(converter<timestamp>::from_text("0044-03-15 00:00:00+00 BC"), ides);
    EXPECT_EQ(text_of(ides), "0044-03-15 00:00:00.000000+00 BC");
    EXPECT_EQ(converter<sys_days>::from_text(text_of(sys_days(std::chrono::year(0) / 2 / 29))),
              sys_days(std::chrono::year(0) / 2 / 29));
}

TEST(converter, knows_all_years_of_the_server) {
    // Beyond std::chrono's calendar, which ends with the year 32767.
    const sys_days last_of_chrono = sys_days(32'767y / 12 / 31);
    EXPECT_EQ(text_of(last_of_chrono), "32767-12-31");
    EXPECT_EQ(text_of(last_of_chrono + std::chrono::days(1)), "32768-01-01");
    EXPECT_EQ(text_of(timestamp(last_of_chrono + std::chrono::days(60))), "32768-02-29 00:00:00.000000+00");
    for (const char* const text :
         {"32768-01-01", "100000-02-29", "5874897-12-31", "4713-01-01 BC", "0001-01-01", "0001-12-31 BC",
          "1970-01-01", "2000-02-29", "1900-02-28", "1900-03-01"}) {
        const auto read = converter<sys_days>::from_text(text);
        ASSERT_TRUE(read) << text;
        EXPECT_EQ(text_of(*read), text);
    }
    EXPECT_EQ(converter<timestamp>::from_text("294246-01-01 00:00:00+00")->time_since_epoch() / 24h,
              106'751'617);
    for (const char* const text : {"5874898-01-01", "32769-02-29", "1900-02-29", "99999999-01-01"})
        EXPECT_EQ(converter<sys_days>::from_text(text), std::nullopt) << text;
    for (const char* const text : {"294276-12-31 23:59:59+00", "5874897-01-01 00:00:00+00"})
        EXPECT_EQ(converter<timestamp>::from_text(text), std::nullopt) << text;
    // Each day of 1,000 years around that end, and all years once.
    for (sys_days day = last_of_chrono - std::chrono::days(200'000); day < last_of_chrono;
         day += std::chrono::days(97)) {
        const std::chrono::year_month_day date(day);
        char expected[16];
        std::snprintf(expected, sizeof expected, "%04d-%02u-%02u", static_cast<int>(date.year()),
                      static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
        EXPECT_EQ(text_of(day), expected);
        EXPECT_EQ(converter<sys_days>::from_text(expected), day);
    }
    EXPECT_THROW(static_cast<void>(text_of(sys_days(std::chrono::days(1) * 3'000'000'000))),
                 std::out_of_range);
    EXPECT_THROW(static_cast<void>(text_of(sys_days::max() - std::chrono::days(1))), std::out_of_range);
}

TEST(converter, knows_the_ends_of_time) {
    EXPECT_EQ(converter<sys_days>::from_text("infinity"), sys_days::max());
    EXPECT_EQ(converter<sys_days>::from_text("-infinity"), sys_days::min());
    EXPECT_EQ(text_of(sys_days::max()), "infinity");
    EXPECT_EQ(text_of(sys_days::min()), "-infinity");
}

TEST(converter, knows_boxes) {
    EXPECT_EQ(converter<box>::from_text("(3,4.5),(-1,0)"), box(3, 4.5, -1, 0));
    EXPECT_EQ(text_of(box(1, 2, 3, 4)), "(1,2),(3,4)");
    for (const char* const text : {"", "(1,2)", "(1,2),(3,4)x", "(1,2),(3,x)", "(1,2),(3)"})
        EXPECT_EQ(converter<box>::from_text(text), std::nullopt) << text;
}

TEST(converter, refuses_what_is_no_time) {
    for (const char* const text :
         {"", "2026-01-31", "2026-01-31 12:00:00", "2026-13-31 12:00:00+00", "2026-02-30 12:00:00+00",
          "2026-01-31 25:00:00+00", "2026-01-31 12:61:00+00", "2026-01-31 12:00:00+0",
          "2026-01-31 12:00:00.+00", "2026-01-31 12:00:00+00 AD", "299999-01-31 12:00:00+00",
          "Sat Jan 31 12:00:00 2026 UTC"})
        EXPECT_EQ(converter<timestamp>::from_text(text), std::nullopt) << text;
    EXPECT_EQ(converter<sys_days>::from_text("2026-02-30"), std::nullopt);
}

TEST(converter, reads_both_forms_of_bytes) {
    const bytea bytes = {std::byte{0}, std::byte{'a'}, std::byte{'\\'}, std::byte{255}};
    EXPECT_EQ(text_of(bytes), "\\x00615cff");
    EXPECT_EQ(converter<bytea>::from_text("\\x00615cff"), bytes);
    EXPECT_EQ(converter<bytea>::from_text("\\x00615CFF"), bytes);
    EXPECT_EQ(converter<bytea>::from_text("\\000a\\\\\\377"), bytes);
    EXPECT_EQ(converter<bytea>::from_text(""), bytea());
    EXPECT_EQ(converter<bytea>::from_text("\\x0"), std::nullopt);
    EXPECT_EQ(converter<bytea>::from_text("\\xzz"), std::nullopt);
    EXPECT_EQ(converter<bytea>::from_text("\\12"), std::nullopt);
    EXPECT_EQ(converter<bytea>::from_text("\\912"), std::nullopt);
    EXPECT_EQ(converter<bytea>::from_text("\\400"), std::nullopt);
}

}  // namespace
}  // namespace eddy::pq::converter_test
