#include "http/message/characters.hpp"

#include <eddy/http/message/date.hpp>

#include <algorithm>
#include <chrono>
#include <cstring>

namespace eddy::http {
namespace {

constexpr std::string_view weekdays = "SunMonTueWedThuFriSat";
constexpr std::string_view months = "JanFebMarAprMayJunJulAugSepOctNovDec";
constexpr std::array<std::string_view, 7> long_weekdays{"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                        "Thursday", "Friday", "Saturday"};

constexpr std::int64_t seconds_min = -62135596800;  // 0001-01-01 00:00:00
constexpr std::int64_t seconds_max = 253402300799;  // 9999-12-31 23:59:59

void put_digits(char* out, unsigned value, unsigned count) noexcept {
    while (count-- > 0) {
        out[count] = static_cast<char>('0' + value % 10);
        value /= 10;
    }
}

// Reads a date from its front; the first thing that does not fit makes all of it invalid.
class date_reader {
public:
    explicit date_reader(std::string_view text) noexcept : text_(text) {}

    [[nodiscard]] bool reached_end() const noexcept { return valid_ && text_.empty(); }

    void literal(std::string_view expected) noexcept {
        if (expect(text_.starts_with(expected))) {
            text_.remove_prefix(expected.size());
        }
    }

    unsigned number(std::size_t digits) noexcept {
        if (!expect(text_.size() >= digits && std::all_of(text_.begin(), text_.begin() + digits, is_digit))) {
            return 0;
        }
        unsigned value = 0;
        for (char byte : text_.substr(0, digits)) {
            value = value * 10 + static_cast<unsigned>(byte - '0');
        }
        text_.remove_prefix(digits);
        return value;
    }

    // asctime pads the day with a space.
    unsigned padded_day() noexcept {
        if (text_.starts_with(' ')) {
            literal(" ");
            return number(1);
        }
        return number(2);
    }

    // The index of a three-letter name.
    unsigned name_of(std::string_view names) noexcept {
        const auto at = text_.size() < 3 ? std::string_view::npos : names.find(text_.substr(0, 3));
        if (!expect(at != std::string_view::npos && at % 3 == 0)) {
            return 0;
        }
        text_.remove_prefix(3);
        return static_cast<unsigned>(at / 3);
    }

    void time() noexcept {
        hour_ = number(2);
        literal(":");
        minute_ = number(2);
        literal(":");
        second_ = number(2);
    }

    [[nodiscard]] std::optional<std::int64_t> seconds(unsigned year, unsigned month,
                                                      unsigned day) const noexcept {
        namespace chrono = std::chrono;
        const chrono::year_month_day date(chrono::year(static_cast<int>(year)), chrono::month(month + 1),
                                          chrono::day(day));
        const bool is_leap_second = hour_ == 23 && minute_ == 59 && second_ == 60;
        if (!reached_end() || !date.ok() || hour_ > 23 || minute_ > 59 || (second_ > 59 && !is_leap_second)) {
            return std::nullopt;
        }
        const std::int64_t days = chrono::sys_days(date).time_since_epoch().count();
        return ((days * 24 + hour_) * 60 + minute_) * 60 + second_;
    }

private:
    bool expect(bool holds) noexcept {
        valid_ = valid_ && holds;
        return valid_;
    }

    std::string_view text_;
    unsigned hour_ = 0;
    unsigned minute_ = 0;
    unsigned second_ = 0;
    bool valid_ = true;
};

// "Sun, 06 Nov 1994 08:49:37 GMT"
std::optional<std::int64_t> parse_imf(std::string_view text) noexcept {
    date_reader reader(text);
    (void)reader.name_of(weekdays);
    reader.literal(", ");
    const unsigned day = reader.number(2);
    reader.literal(" ");
    const unsigned month = reader.name_of(months);
    reader.literal(" ");
    const unsigned year = reader.number(4);
    reader.literal(" ");
    reader.time();
    reader.literal(" GMT");
    return reader.seconds(year, month, day);
}

// "Sun Nov  6 08:49:37 1994"
std::optional<std::int64_t> parse_asctime(std::string_view text) noexcept {
    date_reader reader(text);
    (void)reader.name_of(weekdays);
    reader.literal(" ");
    const unsigned month = reader.name_of(months);
    reader.literal(" ");
    const unsigned day = reader.padded_day();
    reader.literal(" ");
    reader.time();
    reader.literal(" ");
    const unsigned year = reader.number(4);
    return reader.seconds(year, month, day);
}

int year_of(std::int64_t unix_seconds) noexcept {
    namespace chrono = std::chrono;
    const auto days = chrono::floor<chrono::days>(chrono::sys_seconds(chrono::seconds(unix_seconds)));
    return static_cast<int>(chrono::year_month_day(days).year());
}

// "Sunday, 06-Nov-94 08:49:37 GMT". Requires: text starts with the long name of a weekday, `name_size` long.
std::optional<std::int64_t> parse_rfc850(std::string_view text, std::size_t name_size,
                                         std::int64_t now) noexcept {
    date_reader reader(text.substr(name_size));
    reader.literal(", ");
    const unsigned day = reader.number(2);
    reader.literal("-");
    const unsigned month = reader.name_of(months);
    reader.literal("-");
    const unsigned two_digits = reader.number(2);
    reader.literal(" ");
    reader.time();
    reader.literal(" GMT");

    const int now_year = year_of(std::clamp(now, seconds_min, seconds_max));
    int year = now_year / 100 * 100 + static_cast<int>(two_digits);
    year += year < now_year - 50 ? 100 : year > now_year + 50 ? -100 : 0;
    return year < 0 ? std::nullopt : reader.seconds(static_cast<unsigned>(year), month, day);
}

}  // namespace

void format_date(std::int64_t unix_seconds, std::span<char, date_size> out) noexcept {
    namespace chrono = std::chrono;
    const chrono::sys_seconds time(chrono::seconds(std::clamp(unix_seconds, seconds_min, seconds_max)));
    const auto day = chrono::floor<chrono::days>(time);
    const chrono::year_month_day date(day);
    const auto second_of_day = static_cast<unsigned>((time - day).count());

    char* const text = out.data();
    std::memcpy(text, "Sun, 06 Nov 1994 08:49:37 GMT", date_size);
    std::memcpy(text, weekdays.data() + 3 * chrono::weekday(day).c_encoding(), 3);
    put_digits(text + 5, static_cast<unsigned>(date.day()), 2);
    std::memcpy(text + 8, months.data() + 3 * (static_cast<unsigned>(date.month()) - 1), 3);
    put_digits(text + 12, static_cast<unsigned>(static_cast<int>(date.year())), 4);
    put_digits(text + 17, second_of_day / 3600, 2);
    put_digits(text + 20, second_of_day / 60 % 60, 2);
    put_digits(text + 23, second_of_day % 60, 2);
}

std::optional<std::int64_t> parse_date(std::string_view text, std::int64_t now) noexcept {
    if (text.size() == date_size && text[3] == ',') {
        return parse_imf(text);
    }
    for (const auto name : long_weekdays) {
        if (text.starts_with(name)) {
            return parse_rfc850(text, name.size(), now);
        }
    }
    return parse_asctime(text);
}

}  // namespace eddy::http
