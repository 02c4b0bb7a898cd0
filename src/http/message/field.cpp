#include <eddy/http/message/field.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>

namespace eddy::http {
namespace {

constexpr std::array<std::string_view, field_count> field_names{
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
struct alignas(32) folded_name {
    std::uint64_t head;
    std::uint64_t middle;
    std::uint64_t tail;
    std::uint64_t size;

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
                load<std::uint64_t>(name + size - 8) | case_bits, size};
    }
    if (size >= 8) {
        return {load<std::uint64_t>(name) | case_bits, 0, load<std::uint64_t>(name + size - 8) | case_bits,
                size};
    }
    if (size >= 4) {
        return {load<std::uint32_t>(name) | case_bits, 0, load<std::uint32_t>(name + size - 4) | case_bits,
                size};
    }
    return {load<std::uint16_t>(name) | case_bits, 0, load<std::uint16_t>(name + size - 2) | case_bits, size};
}

constexpr std::array<folded_name, field_count> folded_names = [] {
    std::array<folded_name, field_count> table{};
    for (std::size_t i = 1; i < field_count; ++i) {
        table[i] = fold(field_names[i].data(), field_names[i].size());
    }
    return table;
}();

// Fields by a hash that no two of them share; the multiplier is one that makes it so.
constexpr unsigned slot_bits = 8;
using slots = std::array<field, std::size_t{1} << slot_bits>;

constexpr std::size_t slot_of(const folded_name& name, std::uint64_t multiplier) noexcept {
    return static_cast<std::size_t>(((name.head ^ (name.tail << 1)) + name.size) * multiplier >>
                                    (64 - slot_bits));
}

constexpr std::optional<slots> slots_by(std::uint64_t multiplier) noexcept {
    slots table{};
    for (std::size_t i = 1; i < field_count; ++i) {
        field& slot = table[slot_of(folded_names[i], multiplier)];
        if (slot != field::other) {
            return std::nullopt;
        }
        slot = static_cast<field>(i);
    }
    return table;
}

constexpr std::uint64_t multiplier = [] {
    std::uint64_t candidate = 0x9e3779b97f4a7c15U;
    while (!slots_by(candidate)) {
        candidate = candidate * 0x5851f42d4c957f2dU + 2;
    }
    return candidate;
}();

constexpr slots fields_by_slot = *slots_by(multiplier);

}  // namespace

field field_from(std::string_view name) noexcept {
    if (name.size() < 2 || name.size() > name_size_max) {
        return field::other;
    }
    const folded_name folded = fold(name.data(), name.size());
    const field candidate = fields_by_slot[slot_of(folded, multiplier)];
    const auto index = static_cast<std::size_t>(candidate);
    return folded == folded_names[index] ? candidate : field::other;
}

std::string_view to_string(field which) noexcept {
    return field_names[static_cast<std::size_t>(which)];
}

}  // namespace eddy::http
