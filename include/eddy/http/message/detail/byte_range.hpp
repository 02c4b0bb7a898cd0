#pragma once

#include <eddy/detail/build.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace eddy::http {

enum class range_kind : std::uint8_t {
    whole,          // there is nothing to act on: send all of it with 200
    partial,        // send bytes first() to last() with 206
    unsatisfiable,  // answer 416
};

/// The part of a representation that a Range field asks for.
class byte_range {
public:
    byte_range() noexcept : byte_range(whole()) {}
    [[nodiscard]] static byte_range whole() noexcept { return {range_kind::whole, 0, 0}; }
    [[nodiscard]] static byte_range unsatisfiable() noexcept { return {range_kind::unsatisfiable, 0, 0}; }
    /// Requires: first <= last.
    [[nodiscard]] static byte_range partial(std::uint64_t first, std::uint64_t last) noexcept {
        return {range_kind::partial, first, last};
    }

    [[nodiscard]] range_kind kind() const noexcept { return kind_; }
    /// Of a partial one, counted from 0, both included.
    [[nodiscard]] std::uint64_t first() const noexcept { return first_; }
    [[nodiscard]] std::uint64_t last() const noexcept { return last_; }
    [[nodiscard]] std::uint64_t length() const noexcept { return last_ - first_ + 1; }

    friend bool operator==(const byte_range&, const byte_range&) = default;

private:
    byte_range(range_kind kind, std::uint64_t first, std::uint64_t last) noexcept
        : first_(first), last_(last), kind_(kind) {}

    std::uint64_t first_;
    std::uint64_t last_;
    range_kind kind_;
};

/// Reads a Range value (RFC 9110 section 14.1.2) for a representation of `size` bytes: "bytes=a-b",
/// "bytes=a-" or "bytes=-n". A malformed value, another unit and several ranges at once are passed over
/// (`whole`), which section 14.2 permits. A range that starts behind the end, and the last 0 bytes, are
/// unsatisfiable; one that ends behind it ends there. For several ranges: byte_ranges.hpp. Numbers of any
/// length are understood. Of an empty representation "-n" is the whole, since no Content-Range could name
/// nothing. Whether to look at Range at all: may_send_range().
[[nodiscard]] byte_range parse_byte_range(std::string_view value, std::uint64_t size) noexcept;

/// The value of Content-Range for a response to this range: "bytes 0-99/1000" with 206, "bytes */1000" with
/// 416. Holds its text inline. Requires: the range is not `whole`.
class content_range {
public:
    content_range(const byte_range& range, std::uint64_t size) noexcept;

    [[nodiscard]] std::string_view text() const noexcept { return {text_.data(), size_}; }

private:
    std::array<char, 68> text_;  // "bytes ", three numbers of 20 digits, "-" and "/"
    std::uint8_t size_ = 0;
};

}  // namespace eddy::http
