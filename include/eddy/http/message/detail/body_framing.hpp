#pragma once

#include <eddy/http/message/detail/error.hpp>
#include <eddy/http/message/limits.hpp>
#include <eddy/http/message/method.hpp>

#include <cstdint>
#include <expected>
#include <string_view>

namespace eddy::http {

enum class body_kind : std::uint8_t { none, length, chunked, until_close };

/// Where a body ends (RFC 9112 section 6): there is none, it is `length()` bytes, it is chunked and says so
/// itself, or, of a response only, it ends with the connection.
class body_framing {
public:
    body_framing() noexcept {}

    [[nodiscard]] static body_framing none() noexcept { return {}; }
    /// A length of 0 is no body.
    [[nodiscard]] static body_framing of_length(std::uint64_t bytes) noexcept {
        return {bytes == 0 ? body_kind::none : body_kind::length, bytes};
    }
    [[nodiscard]] static body_framing chunked() noexcept { return {body_kind::chunked, 0}; }
    [[nodiscard]] static body_framing until_close() noexcept { return {body_kind::until_close, 0}; }

    [[nodiscard]] body_kind kind() const noexcept { return kind_; }
    /// 0 unless the kind is `length`.
    [[nodiscard]] std::uint64_t length() const noexcept { return length_; }

    friend bool operator==(const body_framing&, const body_framing&) = default;

private:
    body_framing(body_kind kind, std::uint64_t length) noexcept : length_(length), kind_(kind) {}

    std::uint64_t length_ = 0;
    body_kind kind_ = body_kind::none;
};

class request_head;
class response_head;

/// How the body of this request is delimited. Refused, because intermediaries disagree about them:
/// Content-Length together with Transfer-Encoding, a repeated Content-Length (equal or not), a list or
/// anything but digits in one (400), a length over the limit (413), a Transfer-Encoding in HTTP/1.0, one
/// whose last coding is not chunked or that names chunked twice or with parameters (400), and codings
/// other than chunked (501). The request parser has done this by the time a head is complete.
[[nodiscard]] std::expected<body_framing, message_error> request_body_framing(
    const request_head& head, const message_limits& limits) noexcept;

/// How the body of this response to a request of the given method is delimited (RFC 9112 section 6.3). No
/// body: any response to HEAD, a 2xx to CONNECT (what follows is the tunnel, whatever the fields say), 1xx,
/// 204 and 304. Neither length nor coding: the body ends with the connection, which is whole only if the
/// stream below can distinguish a proper end from a cut. Refused is what is refused of requests, and a 1xx or
/// 204 that announces a body. The response parser has done this by the time a head is complete.
[[nodiscard]] std::expected<body_framing, message_error> response_body_framing(
    const response_head& head, method requested, const message_limits& limits) noexcept;

/// The digits of a Content-Length value. Error: 400 for anything but 1 to 19 digits.
[[nodiscard]] std::expected<std::uint64_t, message_error> parse_content_length(
    std::string_view value) noexcept;

}  // namespace eddy::http
