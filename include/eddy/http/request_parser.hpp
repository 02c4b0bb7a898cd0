#pragma once

#include <eddy/http/error.hpp>
#include <eddy/http/limits.hpp>
#include <eddy/http/request_head.hpp>
#include <eddy/http/request_layout.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace eddy::http {

enum class parse_state : std::uint8_t { need_more, complete, error };

class parse_result {
public:
    [[nodiscard]] static parse_result need_more() noexcept { return {}; }
    [[nodiscard]] static parse_result complete(std::size_t head_size) noexcept {
        parse_result result;
        result.state_ = parse_state::complete;
        result.head_size_ = head_size;
        return result;
    }
    [[nodiscard]] static parse_result refused(const message_error& error) noexcept {
        parse_result result;
        result.state_ = parse_state::error;
        result.error_ = error;
        return result;
    }

    [[nodiscard]] parse_state state() const noexcept { return state_; }
    // When complete: bytes of the head, from the first byte given. The body, or the next request of a
    // pipeline, starts there.
    [[nodiscard]] std::size_t head_size() const noexcept { return head_size_; }
    // When refused.
    [[nodiscard]] const message_error& error() const noexcept { return error_; }

    friend bool operator==(const parse_result&, const parse_result&) = default;

private:
    parse_result() noexcept {}

    std::size_t head_size_ = 0;
    message_error error_;
    parse_state state_ = parse_state::need_more;
};

// Parses one request head of HTTP/1.1 or 1.0 (RFC 9112) as its bytes arrive, strictly, without copying
// them and without allocating. About 1 KiB: keep one only while a connection has something to say.
//
//     auto result = parser.parse(received);            // all bytes of this request so far
//     // need_more: receive, append, call again with the longer span; it goes on where it stopped
//     // complete: parser.head(received) reads it; parser.reset() before the next request
//     // error: answer result.error().status() and close
//
// The span may lie somewhere else at each call (a buffer that grew), as long as it starts with the same
// bytes. However the bytes are cut, the outcome is the same.
//
// Refused, each with 400 unless said otherwise:
// - lines ended by a bare LF, a bare CR, control characters and NUL anywhere, a folded line, white space
//   before a field's colon, a line without one, an empty or malformed field name;
// - a request line that is not `method SP target SP HTTP-version` with single spaces, bytes outside
//   visible ASCII in the target, a fragment, a target form that the method does not have, a version that
//   is malformed, or whose major number is not 1 (505);
// - a missing Host in HTTP/1.1, a repeated, empty or malformed one in either version;
// - all ambiguous body framing (see body_framing.hpp), a malformed Connection field, an expectation
//   other than 100-continue (417);
// - anything over the limits: 414, 431, 413, 501 (see limits.hpp), and field names over 255 bytes (431).
// Up to `leading_empty_lines_max` CRLFs before the request line are skipped.
//
// Not thread-safe; nothing in it blocks.
class request_parser {
public:
    // The limits are referred to, not copied. Requires: they outlive the parser.
    explicit request_parser(const message_limits& limits) noexcept : limits_(&limits) {}
    explicit request_parser(const message_limits&&) = delete;

    // Requires: `received` starts with the bytes given before (since construction or reset), in full.
    // After `complete` or `error` it returns the same again.
    [[nodiscard]] parse_result parse(std::string_view received) noexcept;

    // Requires: parse() has returned complete, for these bytes.
    [[nodiscard]] request_head head(std::string_view received) const noexcept {
        return {layout_, received.data()};
    }

    // Ready for another request.
    void reset() noexcept;

private:
    enum class phase : std::uint8_t { request_line, fields, complete, failed };

    [[nodiscard]] bool within_limits(std::size_t line_end) noexcept;
    [[nodiscard]] bool take_line(const char* base, std::size_t line_end) noexcept;
    [[nodiscard]] bool take_request_line(const char* base, std::size_t line_end) noexcept;
    [[nodiscard]] bool take_field_line(const char* base, std::size_t line_end) noexcept;
    [[nodiscard]] bool take_end(const char* base) noexcept;
    [[nodiscard]] bool refuse(status code, std::string_view reason) noexcept;
    [[nodiscard]] bool refuse(const message_error& error) noexcept;

    const message_limits* limits_;
    std::uint32_t line_start_ = 0;
    std::uint32_t scanned_ = 0;  // no line end or control character before it
    std::uint32_t empty_lines_ = 0;
    phase phase_ = phase::request_line;
    message_error error_;
    request_layout layout_;
};

}  // namespace eddy::http
