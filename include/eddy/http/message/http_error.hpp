#pragma once

#include <eddy/detail/build.hpp>

#include <cstdint>
#include <string>
#include <system_error>

namespace eddy::http {

/// What ends an exchange of a client before its time, beside the errors of the stream below it and of TLS.
/// Thrown as std::system_error. The time limits compare equal to std::errc::timed_out.
enum class http_error {
    malformed_url = 1,         ///< no URL, or one without a host
    unsupported_scheme = 2,    ///< another scheme than http, https and http+unix
    invalid_request = 3,       ///< a method, target or field that HTTP does not allow; nothing was sent
    pool_timed_out = 4,        ///< no connection of the pool came free in time
    connect_timed_out = 5,     ///< no connection came about in time, TLS and proxy included
    first_byte_timed_out = 6,  ///< the response did not begin in time
    idle_timed_out = 7,        ///< nothing came, or nothing could be sent, for too long
    total_timed_out = 8,       ///< the exchange was not over in time
    connection_closed = 9,     ///< the connection ended before the response began
    truncated = 10,            ///< the connection ended within the response
    malformed_response = 11,   ///< what came is not HTTP, or its end is ambiguous
    head_too_large = 12,       ///< the response's head, or its trailers, are over the limits
    body_too_large = 13,       ///< the response's body is over the limit
    malformed_content = 14,    ///< the response's Content-Encoding is not what it says
    too_many_redirects = 15,   ///< one more than allowed
    redirect_refused = 16,     ///< a redirect to no URL, or from https to http
    body_not_replayable = 17,  ///< the request must be sent again, but its body is gone
    body_size_wrong = 18,      ///< the request's body was not as long as announced
    proxy_refused = 19,        ///< the proxy did not open the tunnel
    upgrade_refused = 20,      ///< the response to an upgrade was another than 101
    stream_reset = 21,         ///< the server has reset the exchange's stream (HTTP/2): a stream_reset_error
};

/// The category of these errors.
[[nodiscard]] const std::error_category& http_category() noexcept;

/// The error as a std::error_code.
[[nodiscard]] inline std::error_code make_error_code(http_error error) noexcept {
    return {static_cast<int>(error), http_category()};
}

/// http_error::stream_reset, with the code that the server gave (RFC 9113 section 7).
class stream_reset_error : public std::system_error {
public:
    /// With the code that the peer has sent.
    stream_reset_error(std::uint32_t reset_code, const std::string& reason)
        : std::system_error(make_error_code(http_error::stream_reset), reason), reset_code_(reset_code) {}

    /// The code of RFC 9113, section 7.
    [[nodiscard]] std::uint32_t reset_code() const noexcept { return reset_code_; }

private:
    std::uint32_t reset_code_;
};

}  // namespace eddy::http

template <>
struct std::is_error_code_enum<eddy::http::http_error> : std::true_type {};
