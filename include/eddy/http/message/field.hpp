#pragma once

#include <eddy/detail/build.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace eddy::http {

/// The header fields of requests and answers that this library acts on or that programs often read. They are
/// recognised while a head is parsed, so that looking one up is an array access. Named as in RFC 9110 and IANA's
/// registry, in lower case and with underscores; any other name is `other`.
enum class field : std::uint8_t {
    other,
    accept,
    accept_encoding,
    accept_language,
    authorization,
    cache_control,
    connection,
    content_encoding,
    content_length,
    content_range,
    content_type,
    cookie,
    date,
    etag,
    expect,
    forwarded,
    host,
    if_match,
    if_modified_since,
    if_none_match,
    if_range,
    if_unmodified_since,
    last_modified,
    location,
    origin,
    proxy_authenticate,
    proxy_authorization,
    range,
    referer,
    retry_after,
    sec_websocket_accept,
    sec_websocket_extensions,
    sec_websocket_key,
    sec_websocket_protocol,
    sec_websocket_version,
    set_cookie,
    te,
    trailer,
    transfer_encoding,
    upgrade,
    user_agent,
    vary,
    www_authenticate,
    x_forwarded_for,
};

/// The number of fields that have a name here.
inline constexpr std::size_t field_count = static_cast<std::size_t>(field::x_forwarded_for) + 1;

/// Which field the name spells, in any case; `other` when it is none of the above.
/// Requires: `name` is a token (a parsed field name is).
[[nodiscard]] field field_from(std::string_view name) noexcept;

/// The lower-case spelling; empty for `other`.
[[nodiscard]] std::string_view to_string(field which) noexcept;

}  // namespace eddy::http
