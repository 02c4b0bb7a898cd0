#pragma once

#include <eddy/http/codec/detail/head_parser.hpp>
#include <eddy/http/message/detail/error.hpp>
#include <eddy/http/message/detail/parse_result.hpp>
#include <eddy/http/message/detail/request_layout.hpp>
#include <eddy/http/message/limits.hpp>
#include <eddy/http/message/request_head.hpp>

#include <cstddef>
#include <string_view>

namespace eddy::http {

/// Parses one request head of HTTP/1.1 or 1.0 (RFC 9112) as its bytes arrive, strictly, without copying
/// them and without allocating. About 1 KiB: keep one only while a connection is receiving a head.
///
///     auto result = parser.parse(received);            // all bytes of this request so far
///     // need_more: receive, append, call again with the longer span; it continues where it stopped
///     // complete: parser.head(received) reads it; parser.reset() before the next request
///     // error: answer result.error().status() and close
///
/// The span may have another address at each call (a buffer that grew), as long as it starts with the same
/// bytes. However the bytes are cut, the outcome is the same.
///
/// Refused, each with 400 unless said otherwise:
/// - lines ended by a bare LF, a bare CR, control characters and NUL anywhere, a folded line, white space
///   before a field's colon, a line without one, an empty or malformed field name;
/// - a request line that is not `method SP target SP HTTP-version` with single spaces, bytes outside
///   visible ASCII in the target, a fragment, a target form that the method does not have, a version that
///   is malformed, or whose major number is not 1 (505);
/// - a missing Host in HTTP/1.1, a repeated, empty or malformed one in either version;
/// - all ambiguous body framing (see body_framing.hpp), a malformed Connection field, an expectation
///   other than 100-continue (417);
/// - anything over the limits: 414, 431, 413, 501 (see limits.hpp), and field names over 255 bytes (431).
/// Up to `leading_empty_lines_max` CRLFs before the request line are skipped.
///
/// Not thread-safe; nothing in it blocks.
class request_parser : detail::head_parser {
public:
    /// The limits are referred to, not copied. Requires: they outlive the parser.
    explicit request_parser(const message_limits& limits) noexcept : head_parser(limits) {}
    explicit request_parser(const message_limits&&) = delete;

    /// Requires: `received` starts with the bytes passed before (since construction or reset), in full.
    /// After `complete` or `error` it returns the same again.
    [[nodiscard]] parse_result parse(std::string_view received) noexcept;

    /// Requires: parse() has returned complete, for these bytes.
    [[nodiscard]] request_head head(std::string_view received) const noexcept {
        return {layout_, received.data()};
    }

    /// Ready for another request.
    void reset() noexcept;

private:
    friend head_parser;

    [[nodiscard]] bool take_empty_line() noexcept;
    [[nodiscard]] bool take_start_line(const char* base, std::size_t begin, std::size_t end) noexcept;
    [[nodiscard]] bool take_end(const char* base) noexcept;
    [[nodiscard]] static message_error start_line_too_long() noexcept {
        return {status::uri_too_long, "request line over the limit"};
    }

    request_layout layout_;
};

}  // namespace eddy::http
