#include <eddy/integrations/pq/converter.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>

namespace eddy::pq {

namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using std::chrono::sys_days;
using std::chrono::year;
using std::chrono::year_month_day;

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

void append_number(int value, int digits, std::string& out) {
    const std::string text = std::to_string(value);
    for (int missing = digits - static_cast<int>(text.size()); missing > 0; --missing)
        out += '0';
    out += text;
}

/// Without the era, which comes last.
void append_date(const year_month_day& date, std::string& out) {
    const int number = static_cast<int>(date.year());
    append_number(number > 0 ? number : 1 - number, 4, out);  // the year before 1 is 1 BC
    out += '-';
    append_number(static_cast<int>(static_cast<unsigned>(date.month())), 2, out);
    out += '-';
    append_number(static_cast<int>(static_cast<unsigned>(date.day())), 2, out);
}

void append_era(const year_month_day& date, std::string& out) {
    if (static_cast<int>(date.year()) <= 0)
        out += " BC";
}

/// The year's number, month and day, in that order; the era is not known yet.
struct written_date {
    int year = 0;
    int month = 0;
    int day = 0;

    [[nodiscard]] std::optional<sys_days> in_era(bool is_before_christ) const noexcept {
        const year_month_day date(std::chrono::year(is_before_christ ? 1 - year : year),
                                  std::chrono::month(static_cast<unsigned>(month)),
                                  std::chrono::day(static_cast<unsigned>(day)));
        if (!date.ok())
            return std::nullopt;
        return sys_days(date);
    }
};

std::optional<written_date> read_date(scanner& from) noexcept {
    const auto number = from.number(4, 5);  // std::chrono has years up to 32767
    if (!number || *number > 32'767 || !from.skip("-"))
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

}  // namespace

std::optional<numeric> converter<numeric>::from_text(std::string_view text) {
    const bool is_special = text == "NaN" || text == "Infinity" || text == "-Infinity";
    if (text.empty() || (!is_special && text.find_first_not_of("0123456789.-+eE") != std::string_view::npos))
        return std::nullopt;
    return numeric(std::string(text));
}

void converter<sys_days>::to_text(sys_days value, std::string& out) {
    const year_month_day date(value);
    append_date(date, out);
    append_era(date, out);
}

std::optional<sys_days> converter<sys_days>::from_text(std::string_view text) {
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
    if (value == timestamp::max() || value == timestamp::min()) {
        out += value == timestamp::max() ? "infinity" : "-infinity";
        return;
    }
    const auto day = std::chrono::floor<days>(value);
    const year_month_day date(day);
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
    if (text == "infinity")
        return timestamp::max();
    if (text == "-infinity")
        return timestamp::min();
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
    if (!day || !from.at_end())
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
