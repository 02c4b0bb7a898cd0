#pragma once

#include <eddy/detail/build.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace eddy::http {

/// How a body may be encoded for its way (RFC 9110 section 8.4.1). Values are indices below
/// content_coding_count.
enum class content_coding : std::uint8_t {
    identity,  // as it is
    gzip,      // RFC 1952
    deflate,   // RFC 1950, which many senders take for RFC 1951: understood both ways, never chosen
    brotli,    // "br", RFC 7932
};

inline constexpr std::size_t content_coding_count = 4;

/// Those that a response may have, the best first.
inline constexpr std::array preferred_codings = {content_coding::brotli, content_coding::gzip,
                                                 content_coding::identity};

/// The name as Content-Encoding has it. Lives forever.
[[nodiscard]] std::string_view to_string(content_coding coding) noexcept;

/// The coding of this name, in any case; "x-gzip" is gzip. Nothing for others.
[[nodiscard]] std::optional<content_coding> content_coding_from(std::string_view name) noexcept;

}  // namespace eddy::http
