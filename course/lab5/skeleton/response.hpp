#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>
#include <utility>

namespace lab {

[[nodiscard]] inline std::string_view reason_of(int status) noexcept {
    switch (status) {
        case 200:
            return "200 OK";
        case 400:
            return "400 Bad Request";
        case 404:
            return "404 Not Found";
        case 405:
            return "405 Method Not Allowed";
        case 431:
            return "431 Request Header Fields Too Large";
        case 501:
            return "501 Not Implemented";
        case 505:
            return "505 HTTP Version Not Supported";
        default:
            return "500 Internal Server Error";
    }
}

/// By the end of a file's name.
[[nodiscard]] inline std::string_view media_type_of(std::string_view path) noexcept {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 8> known{{
        {".html", "text/html; charset=utf-8"},
        {".css", "text/css"},
        {".js", "text/javascript"},
        {".json", "application/json"},
        {".txt", "text/plain; charset=utf-8"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".jpg", "image/jpeg"},
    }};
    for (const auto& [ending, type] : known)
        if (path.ends_with(ending))
            return type;
    return "application/octet-stream";
}

/// The current time for the field Date, made anew once a second. RFC 9110, 5.6.7.
[[nodiscard]] inline std::string_view http_date() {
    static thread_local std::time_t made_for = 0;
    static thread_local char text[32];
    static thread_local std::size_t size = 0;
    if (const std::time_t now = std::time(nullptr); now != made_for) {
        std::tm parts{};
        ::gmtime_r(&now, &parts);
        size = std::strftime(text, sizeof(text), "%a, %d %b %Y %H:%M:%S GMT", &parts);
        made_for = now;
    }
    return {text, size};
}

/// The head of a response whose body has `size` bytes.
inline void write_head(std::string& out, int status, std::string_view type, std::uint64_t size,
                       bool keeps_alive) {
    char digits[20];
    const auto end = std::to_chars(digits, digits + sizeof(digits), size).ptr;
    out.append("HTTP/1.1 ").append(reason_of(status)).append("\r\nDate: ").append(http_date());
    out.append("\r\nContent-Type: ").append(type).append("\r\nContent-Length: ").append(digits, end);
    if (status == 405)
        out.append("\r\nAllow: GET, HEAD");
    out.append(keeps_alive ? "\r\n\r\n" : "\r\nConnection: close\r\n\r\n");
}

}  // namespace lab
