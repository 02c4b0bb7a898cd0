#include <eddy/http/field.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace eddy::http {
namespace {

constexpr std::array<std::string_view, field_count> names{
    "",
    "accept",
    "accept-encoding",
    "accept-language",
    "authorization",
    "cache-control",
    "connection",
    "content-encoding",
    "content-length",
    "content-range",
    "content-type",
    "cookie",
    "date",
    "etag",
    "expect",
    "forwarded",
    "host",
    "if-match",
    "if-modified-since",
    "if-none-match",
    "if-range",
    "if-unmodified-since",
    "last-modified",
    "location",
    "origin",
    "proxy-authenticate",
    "proxy-authorization",
    "range",
    "referer",
    "retry-after",
    "sec-websocket-accept",
    "sec-websocket-extensions",
    "sec-websocket-key",
    "sec-websocket-protocol",
    "sec-websocket-version",
    "set-cookie",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
    "vary",
    "www-authenticate",
    "x-forwarded-for",
};

constexpr std::size_t name_size_max = 24;

// A name of known size as up to three words, with 0x20 set in each byte. That folds letters to lower case,
// and within tokens maps no other byte onto a letter or "-", so that equal words mean equal names.
struct folded_name {
    std::uint64_t head;
    std::uint64_t middle;
    std::uint64_t tail;

    friend constexpr bool operator==(const folded_name&, const folded_name&) = default;
};

constexpr std::uint64_t case_bits = 0x2020202020202020U;

template <class Word>
constexpr Word load(const char* bytes) noexcept {
    std::array<char, sizeof(Word)> copy{};
    if consteval {
        std::copy_n(bytes, sizeof(Word), copy.begin());
    } else {
        std::memcpy(copy.data(), bytes, sizeof(Word));
    }
    return std::bit_cast<Word>(copy);
}

// Words overlap instead of reading past the name.
constexpr folded_name fold(const char* name, std::size_t size) noexcept {
    if (size >= 16) {
        return {load<std::uint64_t>(name) | case_bits, load<std::uint64_t>(name + 8) | case_bits,
                load<std::uint64_t>(name + size - 8) | case_bits};
    }
    if (size >= 8) {
        return {load<std::uint64_t>(name) | case_bits, 0, load<std::uint64_t>(name + size - 8) | case_bits};
    }
    if (size >= 4) {
        return {load<std::uint32_t>(name) | case_bits, 0, load<std::uint32_t>(name + size - 4) | case_bits};
    }
    return {load<std::uint16_t>(name) | case_bits, 0, load<std::uint16_t>(name + size - 2) | case_bits};
}

// For each size, the fields of that size; none has more than `same_size_max`.
constexpr std::size_t same_size_max = 5;

constexpr auto fields_by_size = [] {
    std::array<std::array<field, same_size_max>, name_size_max + 1> table{};
    for (std::size_t i = 1; i < field_count; ++i) {
        auto& row = table[names[i].size()];
        std::size_t column = 0;
        while (row[column] != field::other) {
            ++column;
        }
        row[column] = static_cast<field>(i);
    }
    return table;
}();

constexpr std::array<folded_name, field_count> folded_names = [] {
    std::array<folded_name, field_count> table{};
    for (std::size_t i = 1; i < field_count; ++i) {
        table[i] = fold(names[i].data(), names[i].size());
    }
    return table;
}();

}  // namespace

field field_from(std::string_view name) noexcept {
    if (name.size() < 2 || name.size() > name_size_max) {
        return field::other;
    }
    const auto& row = fields_by_size[name.size()];
    if (row[0] == field::other) {
        return field::other;
    }
    const folded_name folded = fold(name.data(), name.size());
    for (field candidate : row) {
        if (candidate == field::other) {
            break;
        }
        if (folded == folded_names[static_cast<std::size_t>(candidate)]) {
            return candidate;
        }
    }
    return field::other;
}

std::string_view to_string(field which) noexcept {
    return names[static_cast<std::size_t>(which)];
}

}  // namespace eddy::http
