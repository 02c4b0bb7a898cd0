#pragma once

#include <eddy/http/message/detail/byte_range.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace eddy::http {

/// The parts of a representation that a Range field asks for. A value; holds them inline.
class byte_ranges {
public:
    /// A field with more ranges is ignored: no honest client sends so many.
    static constexpr std::size_t count_max = 16;

    explicit byte_ranges(range_kind kind) noexcept : kind_(kind) {}

    [[nodiscard]] range_kind kind() const noexcept { return kind_; }
    /// Of a partial one: at least one, none touching another, in the order of the request.
    [[nodiscard]] std::span<const byte_range> parts() const noexcept {
        return std::span(parts_).first(count_);
    }

    /// Adds a part. One that overlaps others, or leaves a gap to them that is not worth a part's head,
    /// becomes one with them. Requires: fewer than count_max were added.
    void add(byte_range part) noexcept;

private:
    std::array<byte_range, count_max> parts_;
    std::size_t count_ = 0;
    range_kind kind_;
};

/// Reads a Range value (RFC 9110 section 14.2) with one range or several for a representation of `size`
/// bytes: each as parse_byte_range() reads it. If one is malformed the field is passed over (`whole`), as it
/// is with too many. Those that cannot be satisfied are left out; if none can be, the field cannot.
[[nodiscard]] byte_ranges parse_byte_ranges(std::string_view value, std::uint64_t size) noexcept;

/// The body of a response with several ranges (multipart/byteranges, RFC 9110 section 14.6): what stands
/// before each part and behind the last.
class multipart_ranges {
public:
    /// `boundary`: letters and digits that are not in the content, so by chance of at least 64 bits. Refers
    /// to the ranges and the media type. Requires: partial.
    multipart_ranges(const byte_ranges& ranges, std::uint64_t size, std::string_view media_type,
                     std::string boundary);

    /// The Content-Type of the response.
    [[nodiscard]] std::string_view content_type() const noexcept { return content_type_; }
    /// What comes before the content of this part, which is the one of byte_ranges::parts().
    [[nodiscard]] std::string head(std::size_t part) const;
    [[nodiscard]] std::string tail() const;
    /// The size of the whole body.
    [[nodiscard]] std::uint64_t body_bytes() const noexcept { return body_bytes_; }

private:
    const byte_ranges& ranges_;
    std::uint64_t size_;
    std::string_view media_type_;
    std::string boundary_;
    std::string content_type_;
    std::uint64_t body_bytes_ = 0;
};

}  // namespace eddy::http
