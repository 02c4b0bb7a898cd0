#pragma once

#include <eddy/detail/build.hpp>

#include <cstdint>
#include <string_view>

namespace eddy::http {

/// The status codes of RFC 9110 section 15 and the registered ones a server commonly sends
/// (103, 428, 429, 431, 451), named as in IANA's registry. Any other three-digit code may be cast to this type.
enum class status : std::uint16_t {
    continue_request = 100,
    switching_protocols = 101,
    early_hints = 103,
    ok = 200,
    created = 201,
    accepted = 202,
    non_authoritative_information = 203,
    no_content = 204,
    reset_content = 205,
    partial_content = 206,
    multiple_choices = 300,
    moved_permanently = 301,
    found = 302,
    see_other = 303,
    not_modified = 304,
    use_proxy = 305,
    temporary_redirect = 307,
    permanent_redirect = 308,
    bad_request = 400,
    unauthorized = 401,
    payment_required = 402,
    forbidden = 403,
    not_found = 404,
    method_not_allowed = 405,
    not_acceptable = 406,
    proxy_authentication_required = 407,
    request_timeout = 408,
    conflict = 409,
    gone = 410,
    length_required = 411,
    precondition_failed = 412,
    content_too_large = 413,
    uri_too_long = 414,
    unsupported_media_type = 415,
    range_not_satisfiable = 416,
    expectation_failed = 417,
    misdirected_request = 421,
    unprocessable_content = 422,
    upgrade_required = 426,
    precondition_required = 428,
    too_many_requests = 429,
    request_header_fields_too_large = 431,
    unavailable_for_legal_reasons = 451,
    internal_server_error = 500,
    not_implemented = 501,
    bad_gateway = 502,
    service_unavailable = 503,
    gateway_timeout = 504,
    http_version_not_supported = 505,
};

/// The reason phrase of RFC 9110, or an empty string for a code that has none here.
[[nodiscard]] std::string_view reason_phrase(status code) noexcept;

/// The code as a number: 404 for not_found.
[[nodiscard]] constexpr unsigned to_number(status code) noexcept {
    return static_cast<unsigned>(code);
}

/// 1xx: an interim response, after which the final one follows.
[[nodiscard]] constexpr bool is_interim(status code) noexcept {
    return to_number(code) >= 100 && to_number(code) < 200;
}

/// Whether a response of this status never has a body, whatever its fields say (RFC 9112 section 6.3).
[[nodiscard]] constexpr bool forbids_body(status code) noexcept {
    return is_interim(code) || code == status::no_content || code == status::not_modified;
}

}  // namespace eddy::http
