#include <eddy/http/message/date.hpp>
#include <eddy/http/routing/access_log.hpp>
#include <eddy/http/routing/authentication.hpp>
#include <eddy/http/routing/request_id.hpp>
#include <eddy/runtime/worker.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <utility>

namespace eddy::http {

namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";

bool is_plain(char byte) noexcept {
    return byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\';
}

void append_log_text(std::string& out, std::string_view text) {
    for (const char byte : text) {
        const auto value = static_cast<unsigned char>(byte);
        if (is_plain(byte))
            out += byte;
        else
            out += {'\\', 'x', hex_digits[value >> 4], hex_digits[value & 15]};
    }
}

// A name that stands without quotes.
void append_log_word(std::string& out, std::string_view text) {
    if (text.empty())
        out += '-';
    for (const char byte : text)
        append_log_text(out, byte == ' ' ? std::string_view("_") : std::string_view(&byte, 1));
}

// Bytes beyond ASCII as Latin-1, since they need not be UTF-8.
void append_json_text(std::string& out, std::string_view text) {
    out += '"';
    for (const char byte : text) {
        const auto value = static_cast<unsigned char>(byte);
        if (is_plain(byte))
            out += byte;
        else
            out += {'\\', 'u', '0', '0', hex_digits[value >> 4], hex_digits[value & 15]};
    }
    out += '"';
}

void append_json_field(std::string& out, std::string_view name, std::string_view value) {
    out.append(",\"").append(name).append("\":");
    append_json_text(out, value);
}

void append_padded(std::string& out, std::uint64_t number, std::size_t digits_min = 1) {
    std::array<char, 20> text;
    const char* const end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
    const auto size = static_cast<std::size_t>(end - text.data());
    out.append(digits_min - std::min(digits_min, size), '0').append(text.data(), size);
}

// Without the port, and the brackets that IPv6 needs beside one.
std::string peer_of(exchange& ex) {
    const auto& peer = ex.connection().peer();
    if (!peer)
        return "-";
    std::string text = peer->to_string();
    text.resize(text.rfind(':'));
    return text.front() == '[' ? text.substr(1, text.size() - 2) : text;
}

std::string user_of(exchange& ex) {
    const auto* const user = ex.attributes().find<authenticated_user>();
    return user != nullptr ? user->name() : std::string();
}

// "10/Oct/2000:13:55:36 +0000" of "Tue, 10 Oct 2000 13:55:36 GMT".
std::string log_date(std::int64_t unix_seconds) {
    std::array<char, date_size> text;
    format_date(unix_seconds, text);
    const std::string_view date(text.data(), text.size());
    std::string out;
    out.append(date.substr(5, 2)).append("/").append(date.substr(8, 3)).append("/");
    return out.append(date.substr(12, 4)).append(":").append(date.substr(17, 8)).append(" +0000");
}

// "2000-10-10T13:55:36Z" (RFC 3339).
std::string iso_date(std::int64_t unix_seconds) {
    const std::chrono::sys_seconds when{std::chrono::seconds(unix_seconds)};
    const auto day = std::chrono::floor<std::chrono::days>(when);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss time(when - day);
    std::string out;
    append_padded(out, static_cast<std::uint64_t>(static_cast<int>(date.year())), 4);
    append_padded(out += '-', static_cast<unsigned>(date.month()), 2);
    append_padded(out += '-', static_cast<unsigned>(date.day()), 2);
    append_padded(out += 'T', static_cast<std::uint64_t>(time.hours().count()), 2);
    append_padded(out += ':', static_cast<std::uint64_t>(time.minutes().count()), 2);
    append_padded(out += ':', static_cast<std::uint64_t>(time.seconds().count()), 2);
    return out += 'Z';
}

}  // namespace

std::string_view access_log_line::write(exchange& answered, unsigned status_code) {
    const bool has_iso_date = format_ == access_log_format::brief || format_ == access_log_format::json;
    if (const std::int64_t now = answered.unix_seconds(); now != date_second_) {
        date_ = has_iso_date ? iso_date(now) : log_date(now);
        date_second_ = now;
    }
    line_.clear();
    switch (format_) {
        case access_log_format::brief:
            write_brief(answered, status_code);
            break;
        case access_log_format::common:
        case access_log_format::combined:
            write_common(answered, status_code);
            break;
        case access_log_format::json:
            write_json(answered, status_code);
            break;
    }
    return line_;
}

void access_log_line::write_brief(exchange& answered, unsigned status_code) {
    line_.append(date_).append(" ");
    append_log_text(line_, answered.request().method_name());
    append_log_text(line_ += ' ', answered.request().target());
    append_padded(line_ += ' ', status_code);
    append_padded(line_ += ' ', answered.body_bytes());
}

void access_log_line::write_common(exchange& answered, unsigned status_code) {
    const request_head request = answered.request();
    line_.append(peer_of(answered)).append(" - ");
    append_log_word(line_, user_of(answered));
    line_.append(" [").append(date_).append("] \"");
    append_log_text(line_, request.method_name());
    append_log_text(line_ += ' ', request.target());
    line_.append(request.major_version() == 2   ? " HTTP/2.0\" "
                 : request.minor_version() == 0 ? " HTTP/1.0\" "
                                                : " HTTP/1.1\" ");
    append_padded(line_, status_code);
    append_padded(line_ += ' ', answered.body_bytes());
    if (format_ == access_log_format::common)
        return;
    for (const field each : {field::referer, field::user_agent}) {
        append_log_text(line_ += " \"", request.find(each).value_or("-"));
        line_ += '"';
    }
}

void access_log_line::write_json(exchange& answered, unsigned status_code) {
    const request_head request = answered.request();
    const auto taken =
        std::chrono::duration_cast<std::chrono::microseconds>(worker::current().now() - answered.began_at());
    const auto taken_us = static_cast<std::uint64_t>(std::max<std::int64_t>(0, taken.count()));
    line_.append("{\"time\":\"").append(date_).append("\"");
    append_json_field(line_, "peer", peer_of(answered));
    append_json_field(line_, "user", user_of(answered));
    append_json_field(line_, "method", request.method_name());
    append_json_field(line_, "host", request.authority());
    append_json_field(line_, "target", request.target());
    append_json_field(line_, "route", answered.route());
    append_padded(line_ += ",\"status\":", status_code);
    append_padded(line_ += ",\"bytes\":", answered.body_bytes());
    append_padded(line_ += ",\"ms\":", taken_us / 1000);
    append_padded(line_ += '.', taken_us % 1000, 3);
    append_json_field(line_, "referer", request.find(field::referer).value_or(std::string_view()));
    append_json_field(line_, "user_agent", request.find(field::user_agent).value_or(std::string_view()));
    if (const auto* const id = answered.attributes().find<request_id>())
        append_json_field(line_, "id", id->text());
    line_ += '}';
}

}  // namespace eddy::http
