#pragma once

#include <eddy/http/head_parser.hpp>
#include <eddy/http/limits.hpp>
#include <eddy/http/method.hpp>
#include <eddy/http/parse_result.hpp>
#include <eddy/http/response_head.hpp>

#include <cstddef>
#include <string_view>

namespace eddy::http {

// Parses one response head of HTTP/1.1 or 1.0 (RFC 9112) as its bytes arrive, strictly, without copying them
// and without allocating: what request_parser is for requests, with the same way of use. Interim answers
// (1xx) are heads of their own.
//
//     response_parser parser(limits, method::get);
//     auto result = parser.parse(received);            // all bytes of this answer so far
//     // need_more: receive, append, call again; complete: parser.head(received); error: close
//
// The error's status says what is wrong: 400 malformed, 505 another version, 501 a transfer coding that is
// not implemented, 431 head over the limits, 413 body over the limit. Refused are
// - all that request_parser refuses of lines and fields;
// - a status line that is not `HTTP-version SP 3DIGIT [SP reason]`, a code below 100, an empty line before
// it;
// - all ambiguous body framing (see response_body_framing), a malformed Connection field.
// Accepted, since it is common and cannot be mistaken: no space where the reason is empty.
//
// Not thread-safe; nothing in it blocks.
class response_parser : detail::head_parser {
public:
    // `asked` is the request's method, which decides whether there is a body. The limits are referred to, not
    // copied. Requires: they outlive the parser.
    response_parser(const message_limits& limits, method asked) noexcept
        : head_parser(limits), asked_(asked) {}
    response_parser(const message_limits&&, method) = delete;

    // Requires: `received` starts with the bytes given before (since construction or reset), in full.
    // After `complete` or `error` it returns the same again.
    [[nodiscard]] parse_result parse(std::string_view received) noexcept;

    // Requires: parse() has returned complete, for these bytes.
    [[nodiscard]] response_head head(std::string_view received) const noexcept {
        return {layout_, received.data()};
    }
    // What the head was made of, for who keeps it with a copy of the bytes. Requires: as head().
    [[nodiscard]] const response_layout& layout() const noexcept { return layout_; }

    // Ready for another answer, to a request of this method.
    void reset(method asked) noexcept;

private:
    friend head_parser;

    [[nodiscard]] bool take_empty_line() noexcept;
    [[nodiscard]] bool take_start_line(const char* base, std::size_t line_end) noexcept;
    [[nodiscard]] bool take_end(const char* base) noexcept;
    [[nodiscard]] static message_error start_line_too_long() noexcept {
        return {status::request_header_fields_too_large, "status line over the limit"};
    }

    response_layout layout_;
    method asked_;
};

}  // namespace eddy::http
