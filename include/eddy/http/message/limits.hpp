#pragma once

#include <eddy/detail/build.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace eddy::http {

/// How much of a message its receiver is willing to take, with defaults that are safe in public.
/// What happens beyond a limit is said with each. A value type; setters chain:
///
///     auto limits = message_limits().body_bytes_max(64 << 20).header_count_max(50);
class message_limits {
public:
    /// Heads are addressed by 16-bit offsets, and their field lines sit in an inline array of this size.
    static constexpr std::size_t head_bytes_cap = 65535;
    /// The most that header_count_max() can be set to.
    static constexpr std::size_t header_count_cap = 255;

    message_limits() noexcept {}

    /// Bytes of the request or status line without its line end. Beyond: 414 URI Too Long for a request.
    [[nodiscard]] std::size_t request_line_bytes_max() const noexcept { return request_line_bytes_max_; }
    message_limits& request_line_bytes_max(std::size_t bytes) noexcept {
        request_line_bytes_max_ = bytes;
        return *this;
    }

    /// Bytes of a method name. Beyond: 501 Not Implemented (RFC 9112 section 3).
    [[nodiscard]] std::size_t method_bytes_max() const noexcept { return method_bytes_max_; }
    message_limits& method_bytes_max(std::size_t bytes) noexcept {
        method_bytes_max_ = bytes;
        return *this;
    }

    /// Bytes of the whole head: blank lines before it, request line, fields and the empty line that ends
    /// it. At most head_bytes_cap. Beyond: 431 Request Header Fields Too Large.
    [[nodiscard]] std::size_t head_bytes_max() const noexcept { return head_bytes_max_; }
    message_limits& head_bytes_max(std::size_t bytes) noexcept {
        head_bytes_max_ = std::min(bytes, head_bytes_cap);
        return *this;
    }

    /// Number of field lines. 100 by default, at most header_count_cap. Beyond: 431 Request Header Fields Too
    /// Large.
    [[nodiscard]] std::size_t header_count_max() const noexcept { return header_count_max_; }
    message_limits& header_count_max(std::size_t count) noexcept {
        header_count_max_ = std::min(count, header_count_cap);
        return *this;
    }

    /// Empty lines tolerated before a request line (RFC 9112 section 2.2). Beyond: 400 Bad Request.
    [[nodiscard]] std::size_t leading_empty_lines_max() const noexcept { return leading_empty_lines_max_; }
    message_limits& leading_empty_lines_max(std::size_t count) noexcept {
        leading_empty_lines_max_ = count;
        return *this;
    }

    /// Bytes of a body, after the chunked coding is taken off. Beyond: 413 Content Too Large, at once for
    /// a Content-Length, as soon as a chunk's size says so for a chunked body.
    [[nodiscard]] std::uint64_t body_bytes_max() const noexcept { return body_bytes_max_; }
    message_limits& body_bytes_max(std::uint64_t bytes) noexcept {
        body_bytes_max_ = bytes;
        return *this;
    }

    /// Bytes of all chunk extensions of one body together (RFC 9112 section 7.1.1 asks for this limit).
    /// Beyond: 413 Content Too Large.
    [[nodiscard]] std::size_t chunk_extension_bytes_max() const noexcept {
        return chunk_extension_bytes_max_;
    }
    message_limits& chunk_extension_bytes_max(std::size_t bytes) noexcept {
        chunk_extension_bytes_max_ = bytes;
        return *this;
    }

    /// Bytes of the trailer section of a chunked body, line ends included.
    /// Beyond: 431 Request Header Fields Too Large.
    [[nodiscard]] std::size_t trailer_bytes_max() const noexcept { return trailer_bytes_max_; }
    message_limits& trailer_bytes_max(std::size_t bytes) noexcept {
        trailer_bytes_max_ = bytes;
        return *this;
    }

private:
    std::size_t request_line_bytes_max_ = 8192;
    std::size_t method_bytes_max_ = 32;
    std::size_t head_bytes_max_ = 32768;
    std::size_t header_count_max_ = 100;
    std::size_t leading_empty_lines_max_ = 1;
    std::uint64_t body_bytes_max_ = 16 << 20;
    std::size_t chunk_extension_bytes_max_ = 4096;
    std::size_t trailer_bytes_max_ = 4096;
};

}  // namespace eddy::http
