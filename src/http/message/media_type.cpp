#include "http/message/characters.hpp"

#include <eddy/http/message/detail/media_type.hpp>

#include <algorithm>
#include <array>

namespace eddy::http {
namespace {

struct media_type_entry {
    std::string_view extension;
    std::string_view media_type;
};

// Sorted by extension.
constexpr std::array entries = std::to_array<media_type_entry>({
    {"7z", "application/x-7z-compressed"},
    {"aac", "audio/aac"},
    {"apng", "image/apng"},
    {"atom", "application/atom+xml"},
    {"avif", "image/avif"},
    {"bmp", "image/bmp"},
    {"br", "application/x-brotli"},
    {"bz2", "application/x-bzip2"},
    {"cjs", "text/javascript; charset=utf-8"},
    {"css", "text/css; charset=utf-8"},
    {"csv", "text/csv; charset=utf-8"},
    {"doc", "application/msword"},
    {"docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
    {"eot", "application/vnd.ms-fontobject"},
    {"epub", "application/epub+zip"},
    {"flac", "audio/flac"},
    {"gif", "image/gif"},
    {"gz", "application/gzip"},
    {"htm", "text/html; charset=utf-8"},
    {"html", "text/html; charset=utf-8"},
    {"ico", "image/vnd.microsoft.icon"},
    {"ics", "text/calendar; charset=utf-8"},
    {"jar", "application/java-archive"},
    {"jpeg", "image/jpeg"},
    {"jpg", "image/jpeg"},
    {"js", "text/javascript; charset=utf-8"},
    {"json", "application/json"},
    {"jsonld", "application/ld+json"},
    {"jxl", "image/jxl"},
    {"log", "text/plain; charset=utf-8"},
    {"m3u8", "application/vnd.apple.mpegurl"},
    {"m4a", "audio/mp4"},
    {"m4v", "video/mp4"},
    {"map", "application/json"},
    {"md", "text/markdown; charset=utf-8"},
    {"mjs", "text/javascript; charset=utf-8"},
    {"mkv", "video/matroska"},
    {"mov", "video/quicktime"},
    {"mp3", "audio/mpeg"},
    {"mp4", "video/mp4"},
    {"mpeg", "video/mpeg"},
    {"odt", "application/vnd.oasis.opendocument.text"},
    {"oga", "audio/ogg"},
    {"ogg", "audio/ogg"},
    {"ogv", "video/ogg"},
    {"opus", "audio/ogg"},
    {"otf", "font/otf"},
    {"pdf", "application/pdf"},
    {"png", "image/png"},
    {"pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"},
    {"rss", "application/rss+xml"},
    {"rtf", "application/rtf"},
    {"svg", "image/svg+xml"},
    {"tar", "application/x-tar"},
    {"tgz", "application/gzip"},
    {"tif", "image/tiff"},
    {"tiff", "image/tiff"},
    {"toml", "application/toml"},
    {"ts", "video/mp2t"},
    {"ttf", "font/ttf"},
    {"txt", "text/plain; charset=utf-8"},
    {"wasm", "application/wasm"},
    {"wav", "audio/wav"},
    {"weba", "audio/webm"},
    {"webm", "video/webm"},
    {"webmanifest", "application/manifest+json"},
    {"webp", "image/webp"},
    {"woff", "font/woff"},
    {"woff2", "font/woff2"},
    {"xhtml", "application/xhtml+xml"},
    {"xls", "application/vnd.ms-excel"},
    {"xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
    {"xml", "application/xml"},
    {"xz", "application/x-xz"},
    {"yaml", "application/yaml"},
    {"yml", "application/yaml"},
    {"zip", "application/zip"},
    {"zst", "application/zstd"},
});

constexpr bool precedes(const media_type_entry& a, const media_type_entry& b) noexcept {
    return a.extension < b.extension;
}
static_assert(std::is_sorted(entries.begin(), entries.end(), precedes));

constexpr std::string_view unknown_type = "application/octet-stream";
constexpr std::size_t extension_size_max = 11;

std::string_view extension_of(std::string_view path) noexcept {
    const auto name = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
    const auto dot = name.rfind('.');
    return dot == std::string_view::npos || dot == 0 ? std::string_view() : name.substr(dot + 1);
}

}  // namespace

std::string_view media_type_of(std::string_view path) noexcept {
    const auto extension = extension_of(path);
    if (extension.empty() || extension.size() > extension_size_max) {
        return unknown_type;
    }
    std::array<char, extension_size_max> folded{};
    std::transform(extension.begin(), extension.end(), folded.begin(), to_lower);
    const media_type_entry wanted{{folded.data(), extension.size()}, {}};
    const auto found = std::lower_bound(entries.begin(), entries.end(), wanted, precedes);
    return found != entries.end() && found->extension == wanted.extension ? found->media_type : unknown_type;
}

bool is_compressible(std::string_view media_type) noexcept {
    const auto type = media_type.substr(0, media_type.find_first_of("; "));
    constexpr auto others = std::to_array<std::string_view>(
        {"application/json", "application/xml", "application/wasm", "application/yaml", "application/toml",
         "application/rtf", "application/javascript", "application/vnd.apple.mpegurl",
         "application/vnd.ms-fontobject", "font/ttf", "font/otf", "image/bmp", "image/vnd.microsoft.icon"});
    return type.starts_with("text/") || type.ends_with("+xml") || type.ends_with("+json") ||
           std::find(others.begin(), others.end(), type) != others.end();
}

}  // namespace eddy::http
