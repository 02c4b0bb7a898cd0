#include "http/files/directory_page.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/fs/directory_walk.hpp>
#include <eddy/fs/names.hpp>
#include <eddy/http/message/percent_encoding.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <optional>
#include <utility>

namespace eddy::http {

namespace {

constexpr std::string_view page_begin = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>)";
constexpr std::string_view page_middle = R"(</title>
<style>
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; }
h1 { font-size: 1.25rem; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: .35rem .5rem; text-align: left; border-bottom: 1px solid #8884; vertical-align: top; }
td:first-child { overflow-wrap: anywhere; }
td:nth-child(2), th:nth-child(2) { text-align: right; white-space: nowrap; }
td:nth-child(3) { white-space: nowrap; color: #777; }
@media (max-width: 32rem) { th:nth-child(3), td:nth-child(3) { display: none; } }
</style>
</head>
<body>
<h1>)";
constexpr std::string_view table_begin = R"(</h1>
<table>
<thead><tr><th>Name</th><th>Size</th><th>Changed (UTC)</th></tr></thead>
<tbody>
)";

constexpr std::string_view replacement = "\xef\xbf\xbd";

// How many bytes the character at the front takes in UTF-8 (RFC 3629 section 4); 0 if there is none.
std::size_t utf8_size(std::string_view text) noexcept {
    const auto byte = [&](std::size_t at) {
        return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
    };
    const unsigned first = byte(0);
    if (first < 0x80)
        return 1;
    if (first < 0xc2 || first > 0xf4)
        return 0;
    const std::size_t size = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    const unsigned second_min = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    const unsigned second_max = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (byte(1) < second_min || byte(1) > second_max)
        return 0;
    for (std::size_t at = 2; at < size; ++at)
        if ((byte(at) & 0xc0U) != 0x80)
            return 0;
    return size;
}

// A name of the file system's may be any bytes: what is no UTF-8 is shown as a replacement character.
void append_text(std::string& out, std::string_view text) {
    while (!text.empty()) {
        const std::size_t size = utf8_size(text);
        if (size != 1) {
            out += size == 0 ? replacement : text.substr(0, size);
            text.remove_prefix(std::max<std::size_t>(size, 1));
            continue;
        }
        const char byte = text.front();
        text.remove_prefix(1);
        switch (byte) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            case '\'':
                out += "&#39;";
                break;
            default:
                // No control character has a form in HTML.
                if (static_cast<unsigned char>(byte) < 0x20 || byte == 0x7f)
                    out += replacement;
                else
                    out += byte;
        }
    }
}

std::string size_text(std::uint64_t bytes) {
    constexpr std::array<const char*, 6> units = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    if (bytes < 1024)
        return std::to_string(bytes) + " B";
    double value = static_cast<double>(bytes) / 1024;
    std::size_t unit = 0;
    for (; value >= 1023.95 && unit + 1 < units.size(); ++unit)
        value /= 1024;
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f %s", value, units[unit]);
    return text.data();
}

std::string time_text(std::int64_t unix_seconds) {
    using namespace std::chrono;
    const sys_seconds when{seconds(unix_seconds)};
    const auto day = floor<days>(when);
    const year_month_day date(day);
    const hh_mm_ss time(when - day);
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), "%04d-%02u-%02u %02d:%02d", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                  static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()));
    return text.data();
}

void append_row(std::string& out, const listed_entry& one) {
    const std::string_view slash = one.is_directory ? "/" : "";
    // With "./" no name is taken for a scheme.
    out.append("<tr><td><a href=\"./").append(escape_path(one.name)).append(slash).append("\">");
    append_text(out, one.name);
    out.append(slash).append("</a></td><td>");
    out.append(one.is_directory ? "" : size_text(one.size)).append("</td><td>");
    out.append(time_text(one.modified_seconds)).append("</td></tr>\n");
}

// What an entry is; nothing if that is not known, or it is not served.
task<std::optional<listed_entry>> look_at(const directory& root, std::string path, std::string here,
                                          std::string name, bool is_link) {
    io::file_status status;
    if (is_link) {
        // Opened as it would be served, so that nothing is revealed of what lies outside.
        path += path.empty() ? "" : "/";
        path += name;
        auto opened = co_await as_result(root.open_file(path.c_str()));
        if (!opened)
            co_return std::nullopt;
        status = opened->status();
    } else {
        auto known = co_await as_result(fs::symlink_status(here + "/" + name));
        if (!known)
            co_return std::nullopt;
        status = *known;
    }
    const bool is_directory = status.kind == io::file_status::file_kind::directory;
    if (!is_directory && status.kind != io::file_status::file_kind::regular)
        co_return std::nullopt;
    listed_entry found(std::move(name), is_directory);
    found.size = status.size;
    found.modified_seconds = status.modified_ns / 1'000'000'000;
    co_return found;
}

}  // namespace

task<directory_content> read_directory_content(const directory& root, std::string path, file opened,
                                               std::size_t entries_max, bool has_dot_files) {
    directory_content content;
    // The open directory by the system's own name for it, whatever its path leads to by now.
    const std::string here = "/proc/self/fd/" + std::to_string(opened.descriptor());
    auto found = fs::entries(here);
    for (;;) {
        const std::optional<directory_entry> entry = co_await found.next();
        if (!entry)
            break;
        if (entry->name().starts_with('.') && !has_dot_files)
            continue;
        if (content.entries.size() == entries_max) {
            content.is_cut_off = true;
            break;
        }
        const bool is_link = entry->kind() == io::entry_kind::symbolic_link;
        auto listed = co_await look_at(root, path, here, std::string(entry->name()), is_link);
        if (listed)
            content.entries.push_back(std::move(*listed));
    }
    std::sort(content.entries.begin(), content.entries.end(), [](const auto& a, const auto& b) {
        return std::tuple(!a.is_directory, std::string_view(a.name)) <
               std::tuple(!b.is_directory, std::string_view(b.name));
    });
    co_return content;
}

std::string render_directory_page(std::string_view title, const directory_content& content) {
    std::string page(page_begin);
    append_text(page, title);
    page += page_middle;
    append_text(page, title);
    page += table_begin;
    if (title != "/")
        page += "<tr><td><a href=\"../\">../</a></td><td></td><td></td></tr>\n";
    for (const listed_entry& one : content.entries)
        append_row(page, one);
    page += "</tbody>\n</table>\n";
    if (content.is_cut_off)
        page += "<p>There is more than is shown.</p>\n";
    page += "</body>\n</html>\n";
    return page;
}

std::string escape_path(std::string_view path) {
    std::string escaped;
    while (!path.empty()) {
        const auto segment = path.substr(0, path.find('/'));
        escaped += percent_encode(segment);
        path.remove_prefix(segment.size());
        if (!path.empty()) {
            escaped += '/';
            path.remove_prefix(1);
        }
    }
    return escaped;
}

}  // namespace eddy::http
