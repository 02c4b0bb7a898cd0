#pragma once

#include <eddy/http/codec/detail/head_parser.hpp>
#include <eddy/http/message/detail/parse_result.hpp>
#include <eddy/http/message/limits.hpp>
#include <eddy/http/message/method.hpp>
#include <eddy/http/message/response_head.hpp>

#include <cstddef>
#include <string_view>

namespace eddy::http {

/// Parses one response head of HTTP/1.1 or 1.0 (RFC 9112) as its bytes arrive, strictly, without copying them
/// and without allocating: what request_parser is for requests, with the same way of use. Interim answers
/// (1xx) are heads of their own.
///
///     response_parser parser(limits, method::get);
///     auto result = parser.parse(received);            // all bytes of this response so far
///     // need_more: receive, append, call again; complete: parser.head(received); error: close
///
/// The error's status says what is wrong: 400 malformed, 505 another version, 501 a transfer coding that is
/// not implemented, 431 head over the limits, 413 body over the limit. Refused are
/// - all that request_parser refuses of lines and fields;
/// - a status line that is not `HTTP-version SP 3DIGIT [SP reason]`, a code below 100, an empty line before
///   it;
/// - all ambiguous body framing (see response_body_framing), a malformed Connection field.
/// Accepted, since it is common and cannot be mistaken: no space where the reason is empty.
///
/// Not thread-safe; nothing in it blocks.
class response_parser : detail::head_parser {
public:
    /// `requested` is the request's method, which decides whether there is a body. Refers to the limits, does not
    /// copy them. Requires: they outlive the parser.
    response_parser(const message_limits& limits, method requested) noexcept
        : head_parser(limits), requested_(requested) {}
    response_parser(const message_limits&&, method) = delete;

    /// Requires: `received` starts with the bytes passed before (since construction or reset), in full.
    /// After `complete` or `error` it returns the same again.
    [[nodiscard]] parse_result parse(std::string_view received) noexcept;

    /// Requires: parse() has returned complete, for these bytes.
    [[nodiscard]] response_head head(std::string_view received) const noexcept {
        return {layout_, received.data()};
    }
    /// The positions of the head's parts, to keep with a copy of the bytes. Requires: as head().
    [[nodiscard]] const response_layout& layout() const noexcept { return layout_; }

    /// Ready for another response, to a request of this method.
    void reset(method requested) noexcept;

private:
    friend head_parser;

    [[nodiscard]] bool take_empty_line() noexcept;
    [[nodiscard]] bool take_start_line(const char* base, std::size_t begin, std::size_t end) noexcept;
    [[nodiscard]] bool take_end(const char* base) noexcept;
    [[nodiscard]] static message_error start_line_too_long() noexcept {
        return {status::request_header_fields_too_large, "status line over the limit"};
    }

    response_layout layout_;
    method requested_;
};

}  // namespace eddy::http
