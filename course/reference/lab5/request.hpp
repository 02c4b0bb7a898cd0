#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace lab {

/// The head of an HTTP request. The views lead into the bytes that were parsed.
struct request {
    std::string_view method;
    std::string_view target;
    /// Whether the client expects to send another request afterwards.
    bool keeps_alive = true;
    /// How many bytes the head takes, its empty line included.
    std::size_t head_bytes = 0;
};

/// What is wrong with a request: the status of the response.
struct bad_request {
    int status;
};

/// Parses what stands at the front of `bytes`. Nothing: the head is not complete yet. Throws bad_request: 400 for what is
/// no HTTP/1 request for a path, 501 for a body, 505 for another version. RFC 9112.
[[nodiscard]] inline std::optional<request> parse_request(std::string_view bytes) {
    const std::size_t end = bytes.find("\r\n\r\n");
    if (end == std::string_view::npos)
        return std::nullopt;
    request parsed;
    parsed.head_bytes = end + 4;
    std::string_view lines = bytes.substr(0, end + 2);
    const auto next_line = [&] {
        const std::size_t length = lines.find("\r\n");
        const std::string_view line = lines.substr(0, length);
        lines.remove_prefix(length + 2);
        return line;
    };

    const std::string_view first = next_line();
    const std::size_t after_method = first.find(' ');
    const std::size_t after_target = first.rfind(' ');
    if (after_method == std::string_view::npos || after_method == 0 || after_target <= after_method + 1)
        throw bad_request(400);
    parsed.method = first.substr(0, after_method);
    parsed.target = first.substr(after_method + 1, after_target - after_method - 1);
    const std::string_view version = first.substr(after_target + 1);
    if (version != "HTTP/1.1" && version != "HTTP/1.0")
        throw bad_request(version.starts_with("HTTP/") ? 505 : 400);
    if (!parsed.target.starts_with('/') || parsed.target.find(' ') != std::string_view::npos)
        throw bad_request(400);
    parsed.keeps_alive = version == "HTTP/1.1";

    const auto equal = [](std::string_view left, std::string_view right) {
        return std::ranges::equal(
            left, right, {}, [](unsigned char c) { return std::tolower(c); },
            [](unsigned char c) { return std::tolower(c); });
    };
    int hosts = 0;
    while (!lines.empty()) {
        const std::string_view line = next_line();
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos || colon == 0 || line.find_first_of(" \t") < colon)
            throw bad_request(400);
        const std::string_view name = line.substr(0, colon);
        std::string_view value = line.substr(colon + 1);
        value.remove_prefix(std::min(value.find_first_not_of(" \t"), value.size()));
        value = value.substr(0, value.find_last_not_of(" \t") + 1);
        if (equal(name, "host"))
            ++hosts;
        else if (equal(name, "connection"))
            parsed.keeps_alive =
                equal(value, "close") ? false : equal(value, "keep-alive") || parsed.keeps_alive;
        else if (equal(name, "transfer-encoding") || (equal(name, "content-length") && value != "0"))
            throw bad_request(501);
    }
    if (hosts > 1 || (hosts == 0 && version == "HTTP/1.1"))
        throw bad_request(400);
    return parsed;
}

/// The path below a root that a target names: decoded, without its query and its first slash. Nothing where it is no
/// path, or where one of its parts is "..", wherever that would lead.
[[nodiscard]] inline std::optional<std::string> path_of(std::string_view target) {
    target = target.substr(0, target.find_first_of("?#"));
    const auto digit = [](char c) {
        if (c >= '0' && c <= '9')
            return c - '0';
        const int letter = std::tolower(static_cast<unsigned char>(c));
        return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
    };
    std::string path;
    for (std::size_t at = 1; at < target.size(); ++at) {
        char c = target[at];
        if (c == '%') {
            if (at + 2 >= target.size() || digit(target[at + 1]) < 0 || digit(target[at + 2]) < 0)
                return std::nullopt;
            c = static_cast<char>(digit(target[at + 1]) * 16 + digit(target[at + 2]));
            at += 2;
        }
        if (c == '\0')
            return std::nullopt;
        path += c;
    }
    // After decoding: "%2e%2e" climbs, too.
    std::string_view rest = path;
    while (!rest.empty()) {
        const std::size_t length = std::min(rest.find('/'), rest.size());
        const std::string_view segment = rest.substr(0, length);
        if (segment == ".." || segment == "." || (segment.empty() && length != rest.size()))
            return std::nullopt;
        rest.remove_prefix(std::min(length + 1, rest.size()));
    }
    if (path.empty() || path.ends_with('/'))
        path += "index.html";
    return path;
}

}  // namespace lab
