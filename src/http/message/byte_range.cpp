#include "http/message/byte_range_spec.hpp"
#include "http/message/characters.hpp"

#include <eddy/http/message/detail/byte_range.hpp>

#include <algorithm>
#include <charconv>
#include <optional>

namespace eddy::http {
namespace {

// Any number of digits; beyond 2^64 - 1 it stays there, which is beyond the end of everything.
std::optional<std::uint64_t> saturating_number(std::string_view digits) noexcept {
    if (digits.empty() || !std::all_of(digits.begin(), digits.end(), is_digit)) {
        return std::nullopt;
    }
    std::uint64_t value = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return parsed.ec == std::errc::result_out_of_range ? UINT64_MAX : value;
}

byte_range last_bytes(std::uint64_t count, std::uint64_t size) noexcept {
    if (count == 0) {
        return byte_range::unsatisfiable();
    }
    return size == 0 ? byte_range::whole() : byte_range::partial(size - std::min(count, size), size - 1);
}

}  // namespace

std::optional<std::string_view> byte_range_specs(std::string_view value) noexcept {
    constexpr std::string_view unit = "bytes=";
    if (!equal_ignoring_case(value.substr(0, unit.size()), unit)) {
        return std::nullopt;
    }
    return value.substr(unit.size());
}

byte_range parse_byte_range(std::string_view value, std::uint64_t size) noexcept {
    const auto specs = byte_range_specs(value);
    return specs ? parse_byte_range_spec(*specs, size) : byte_range::whole();
}

byte_range parse_byte_range_spec(std::string_view spec, std::uint64_t size) noexcept {
    const auto dash = spec.find('-');
    if (dash == std::string_view::npos) {
        return byte_range::whole();
    }
    const auto first_text = spec.substr(0, dash);
    const auto last_text = spec.substr(dash + 1);
    const auto first = saturating_number(first_text);
    const auto last = saturating_number(last_text);
    if (first_text.empty()) {
        return last ? last_bytes(*last, size) : byte_range::whole();
    }
    if (!first || (!last && !last_text.empty()) || (last && *last < *first)) {
        return byte_range::whole();
    }
    if (*first >= size) {
        return byte_range::unsatisfiable();
    }
    return byte_range::partial(*first, std::min(last.value_or(UINT64_MAX), size - 1));
}

content_range::content_range(const byte_range& range, std::uint64_t size) noexcept {
    char* at = text_.data();
    char* const end = at + text_.size();
    at += std::string_view("bytes ").copy(at, 6);
    if (range.kind() == range_kind::partial) {
        at = std::to_chars(at, end, range.first()).ptr;
        *at++ = '-';
        at = std::to_chars(at, end, range.last()).ptr;
    } else {
        *at++ = '*';
    }
    *at++ = '/';
    at = std::to_chars(at, end, size).ptr;
    size_ = static_cast<std::uint8_t>(at - text_.data());
}

}  // namespace eddy::http
