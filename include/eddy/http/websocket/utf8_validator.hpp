#pragma once

#include <eddy/detail/build.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace eddy::http {

/// Checks whether bytes that come in pieces are UTF-8 (RFC 3629): no overlong form, no surrogate, nothing
/// above U+10FFFF. A wrong byte is detected in the piece in which it comes, however the pieces are cut.
///
/// A value: copies, allocates nothing. Thread safety: none. Cost: ASCII is checked 8 bytes at a time.
class utf8_validator {
public:
    /// False from the first byte on that cannot be part of any text.
    [[nodiscard]] bool append(std::span<const std::byte> bytes) noexcept;
    /// Whether what has come is a whole text: it is right and does not end inside a character.
    [[nodiscard]] bool is_complete() const noexcept { return missing_ == 0; }
    /// Begins a new text.
    void reset() noexcept { *this = utf8_validator(); }

private:
    static constexpr std::uint8_t failed = 0xff;

    [[nodiscard]] bool begin_character(std::uint8_t lead) noexcept;

    std::uint8_t missing_ = 0;  // bytes of the character that has begun, or failed
    // The range of the next byte: the first after the lead decides about overlong forms and the like.
    std::uint8_t low_ = 0x80;
    std::uint8_t high_ = 0xbf;
};

/// Whether a whole text is UTF-8.
[[nodiscard]] inline bool is_utf8(std::span<const std::byte> text) noexcept {
    utf8_validator validator;
    return validator.append(text) && validator.is_complete();
}

}  // namespace eddy::http
