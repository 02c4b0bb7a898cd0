#include <eddy/integrations/pq/converter.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace eddy::pq {

namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using std::chrono::sys_days;

/// Reads a text from its front.
class scanner {
public:
    explicit scanner(std::string_view text) noexcept : left_(text) {}

    [[nodiscard]] bool skip(std::string_view word) noexcept {
        if (!left_.starts_with(word))
            return false;
        left_.remove_prefix(word.size());
        return true;
    }
    /// So many decimal digits.
    [[nodiscard]] std::optional<int> number(std::size_t digits_min, std::size_t digits_max) noexcept {
        std::size_t digits = 0;
        int value = 0;
        while (digits < std::min(digits_max, left_.size()) && left_[digits] >= '0' && left_[digits] <= '9')
            value = 10 * value + (left_[digits++] - '0');
        if (digits < digits_min)
            return std::nullopt;
        left_.remove_prefix(digits);
        last_digits_ = digits;
        return value;
    }
    [[nodiscard]] std::optional<int> two_digits() noexcept { return number(2, 2); }
    [[nodiscard]] std::size_t last_digits() const noexcept { return last_digits_; }
    [[nodiscard]] bool at_end() const noexcept { return left_.empty(); }

private:
    std::string_view left_;
    std::size_t last_digits_ = 0;
};

void append_number(std::int64_t value, int digits, std::string& out) {
    const std::string text = std::to_string(value);
    for (int missing = digits - static_cast<int>(text.size()); missing > 0; --missing)
        out += '0';
    out += text;
}

// std::chrono's calendar ends with the year 32767, PostgreSQL's with 5874897.
constexpr std::int64_t year_max = 5'874'897;
constexpr std::int64_t days_of_era = 146'097;  // 400 years
constexpr std::int64_t days_before_1970 = 719'468;

/// The year's number, month and day; the year before 1 is 0. Years begin with March here, so that leap days
/// come last.
struct civil_date {
    std::int64_t year = 0;
    int month = 0;
    int day = 0;

    /// Throws std::out_of_range.
    static civil_date of(sys_days when) {
        std::int64_t left = when.time_since_epoch().count();
        if (left > (year_max + 1) * 366 || left < -(year_max + 1) * 366)
            throw std::out_of_range("a date beyond those that PostgreSQL knows");
        left += days_before_1970;
        const std::int64_t era = (left >= 0 ? left : left - days_of_era + 1) / days_of_era;
        const std::int64_t day = left - era * days_of_era;
        const std::int64_t year = (day - day / 1460 + day / 36'524 - day / 146'096) / 365;
        const auto day_of_year = static_cast<int>(day - (365 * year + year / 4 - year / 100));
        const int month = (5 * day_of_year + 2) / 153;
        return {year + era * 400 + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9,
                day_of_year - (153 * month + 2) / 5 + 1};
    }
    [[nodiscard]] bool is_leap_year() const noexcept {
        return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    }
    [[nodiscard]] int last_day() const noexcept {
        if (month == 2)
            return is_leap_year() ? 29 : 28;
        return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
    }
    [[nodiscard]] std::optional<sys_days> in_days() const noexcept {
        if (month < 1 || month > 12 || day < 1 || day > last_day())
            return std::nullopt;
        const std::int64_t from_march = month > 2 ? year : year - 1;
        const std::int64_t era = (from_march >= 0 ? from_march : from_march - 399) / 400;
        const std::int64_t year_of_era = from_march - era * 400;
        const std::int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
        const std::int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        return sys_days(days(era * days_of_era + day_of_era - days_before_1970));
    }
};

/// Without the era, which comes last.
void append_date(const civil_date& date, std::string& out) {
    append_number(date.year > 0 ? date.year : 1 - date.year, 4, out);  // the year before 1 is 1 BC
    out += '-';
    append_number(date.month, 2, out);
    out += '-';
    append_number(date.day, 2, out);
}

void append_era(const civil_date& date, std::string& out) {
    if (date.year <= 0)
        out += " BC";
}

/// The year's number, month and day, in that order; the era is not known yet.
struct written_date {
    int year = 0;
    int month = 0;
    int day = 0;

    [[nodiscard]] std::optional<sys_days> in_era(bool is_before_christ) const noexcept {
        return civil_date(is_before_christ ? 1 - year : year, month, day).in_days();
    }
};

std::optional<written_date> read_date(scanner& from) noexcept {
    const auto number = from.number(4, 7);
    if (!number || *number > year_max || !from.skip("-"))
        return std::nullopt;
    const auto month = from.two_digits();
    if (!month || !from.skip("-"))
        return std::nullopt;
    const auto day = from.two_digits();
    if (!day)
        return std::nullopt;
    return written_date(*number, *month, *day);
}

/// Hours, minutes and seconds with up to six decimals.
std::optional<microseconds> read_time(scanner& from) noexcept {
    const auto hour = from.two_digits();
    if (!hour || !from.skip(":"))
        return std::nullopt;
    const auto minute = from.two_digits();
    if (!minute || !from.skip(":"))
        return std::nullopt;
    const auto second = from.two_digits();
    if (!second || *hour > 24 || *minute > 59 || *second > 60)
        return std::nullopt;
    microseconds time = hours(*hour) + minutes(*minute) + seconds(*second);
    if (from.skip(".")) {
        const auto fraction = from.number(1, 6);
        if (!fraction)
            return std::nullopt;
        int scaled = *fraction;
        for (std::size_t digits = from.last_digits(); digits < 6; ++digits)
            scaled *= 10;
        time += microseconds(scaled);
    }
    return time;
}

/// "+02", "-03:30", "+00:19:32".
std::optional<seconds> read_offset(scanner& from) noexcept {
    const bool is_negative = from.skip("-");
    if (!is_negative && !from.skip("+"))
        return std::nullopt;
    const auto hour = from.two_digits();
    if (!hour)
        return std::nullopt;
    seconds offset = hours(*hour);
    if (from.skip(":")) {
        const auto minute = from.two_digits();
        if (!minute)
            return std::nullopt;
        offset += minutes(*minute);
    }
    if (from.skip(":")) {
        const auto second = from.two_digits();
        if (!second)
            return std::nullopt;
        offset += seconds(*second);
    }
    return is_negative ? -offset : offset;
}

int hex_digit(char character) noexcept {
    if (character >= '0' && character <= '9')
        return character - '0';
    if (character >= 'a' && character <= 'f')
        return character - 'a' + 10;
    if (character >= 'A' && character <= 'F')
        return character - 'A' + 10;
    return -1;
}

std::optional<bytea> read_hex(std::string_view digits) {
    if (digits.size() % 2 != 0)
        return std::nullopt;
    bytea bytes(digits.size() / 2);
    for (std::size_t index = 0; index < bytes.size(); ++index) {
        const int high = hex_digit(digits[2 * index]);
        const int low = hex_digit(digits[2 * index + 1]);
        if (high < 0 || low < 0)
            return std::nullopt;
        bytes[index] = static_cast<std::byte>(16 * high + low);
    }
    return bytes;
}

/// A backslash is written twice, and bytes that are not printed as three octal digits behind one.
std::optional<bytea> read_escaped(std::string_view text) {
    bytea bytes;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '\\') {
            bytes.push_back(static_cast<std::byte>(text[at]));
        } else if (text.substr(at + 1).starts_with('\\')) {
            bytes.push_back(std::byte('\\'));
            ++at;
        } else {
            int value = 0;
            for (const char digit : text.substr(at + 1, 3))
                value = digit >= '0' && digit <= '7' ? 8 * value + (digit - '0') : 256;
            if (value > 255 || at + 3 >= text.size())
                return std::nullopt;
            bytes.push_back(static_cast<std::byte>(value));
            at += 3;
        }
    }
    return bytes;
}

template <class Time>
bool append_infinity(Time value, std::string& out) {
    const bool is_infinite = value == Time::max() || value == Time::min();
    if (is_infinite)
        out += value == Time::max() ? "infinity" : "-infinity";
    return is_infinite;
}

template <class Time>
std::optional<Time> infinity_of(std::string_view text) noexcept {
    if (text == "infinity")
        return Time::max();
    return text == "-infinity" ? std::optional(Time::min()) : std::nullopt;
}

}  // namespace

void converter<box>::to_text(const box& value, std::string& out) {
    const auto append_point = [&out](double x, double y) {
        out += '(';
        converter<double>::to_text(x, out);
        out += ',';
        converter<double>::to_text(y, out);
        out += ')';
    };
    append_point(value.x1, value.y1);
    out += ',';
    append_point(value.x2, value.y2);
}

std::optional<box> converter<box>::from_text(std::string_view text) {
    box made;
    double* const coordinates[] = {&made.x1, &made.y1, &made.x2, &made.y2};
    constexpr std::string_view before[] = {"(", ",", "),(", ","};
    for (std::size_t at = 0; at < 4; ++at) {
        if (!text.starts_with(before[at]))
            return std::nullopt;
        text.remove_prefix(before[at].size());
        const auto number = text.substr(0, text.find_first_of(",)"));
        const auto read = converter<double>::from_text(number);
        if (!read)
            return std::nullopt;
        *coordinates[at] = *read;
        text.remove_prefix(number.size());
    }
    return text == ")" ? std::optional(made) : std::nullopt;
}

std::optional<numeric> converter<numeric>::from_text(std::string_view text) {
    const bool is_special = text == "NaN" || text == "Infinity" || text == "-Infinity";
    if (text.empty() || (!is_special && text.find_first_not_of("0123456789.-+eE") != std::string_view::npos))
        return std::nullopt;
    return numeric(std::string(text));
}

void converter<sys_days>::to_text(sys_days value, std::string& out) {
    if (append_infinity(value, out))
        return;
    const civil_date date = civil_date::of(value);
    append_date(date, out);
    append_era(date, out);
}

std::optional<sys_days> converter<sys_days>::from_text(std::string_view text) {
    if (const auto found = infinity_of<sys_days>(text))
        return found;
    scanner from(text);
    const auto date = read_date(from);
    if (!date)
        return std::nullopt;
    const bool is_before_christ = from.skip(" BC");
    if (!from.at_end())
        return std::nullopt;
    return date->in_era(is_before_christ);
}

void converter<timestamp>::to_text(timestamp value, std::string& out) {
    if (append_infinity(value, out))
        return;
    const auto day = std::chrono::floor<days>(value);
    const civil_date date = civil_date::of(day);
    const std::chrono::hh_mm_ss time(value - day);
    append_date(date, out);
    out += ' ';
    append_number(static_cast<int>(time.hours().count()), 2, out);
    out += ':';
    append_number(static_cast<int>(time.minutes().count()), 2, out);
    out += ':';
    append_number(static_cast<int>(time.seconds().count()), 2, out);
    out += '.';
    append_number(static_cast<int>(time.subseconds().count()), 6, out);
    out += "+00";
    append_era(date, out);
}

std::optional<timestamp> converter<timestamp>::from_text(std::string_view text) {
    if (const auto found = infinity_of<timestamp>(text))
        return found;
    scanner from(text);
    const auto date = read_date(from);
    if (!date || !from.skip(" "))
        return std::nullopt;
    const auto time = read_time(from);
    if (!time)
        return std::nullopt;
    const auto offset = read_offset(from);
    if (!offset)
        return std::nullopt;
    const auto day = date->in_era(from.skip(" BC"));
    // A timestamp ends some days before the last year of the server's.
    constexpr sys_days last_day = std::chrono::floor<days>(timestamp::max()) - days(2);
    constexpr sys_days first_day = std::chrono::ceil<days>(timestamp::min()) + days(2);
    if (!day || *day > last_day || *day < first_day || !from.at_end())
        return std::nullopt;
    return timestamp(*day) + *time - *offset;
}

void converter<bytea>::to_text(const bytea& value, std::string& out) {
    constexpr std::string_view digits = "0123456789abcdef";
    out += "\\x";
    for (const std::byte byte : value) {
        out += digits[std::to_integer<std::size_t>(byte) / 16];
        out += digits[std::to_integer<std::size_t>(byte) % 16];
    }
}

std::optional<bytea> converter<bytea>::from_text(std::string_view text) {
    if (text.starts_with("\\x"))
        return read_hex(text.substr(2));
    return read_escaped(text);
}

}  // namespace eddy::pq
