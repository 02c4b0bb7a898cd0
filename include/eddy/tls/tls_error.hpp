#pragma once

#include <eddy/detail/build.hpp>

#include <system_error>

namespace eddy {

/// What ends a TLS connection before its time, beside the errors of the stream below it.
enum class tls_error {
    handshake_failed = 1,     ///< the two sides have no version, cipher or protocol in common, or one refused
    certificate_refused = 2,  ///< the peer's certificate is not trusted, not valid now, or another name's
    certificate_missing = 3,  ///< the peer has to show a certificate and has none
    alert_received = 4,       ///< the peer has ended the connection and said why
    protocol_violated = 5,    ///< what has arrived is not TLS
    truncated = 6,  ///< the stream below ended without the peer's close_notify (RFC 8446 section 6.1)
    bad_certificate_file = 7,  ///< a file holds no certificate or key, or they do not belong together
};

/// The category of these errors.
[[nodiscard]] const std::error_category& tls_category() noexcept;

[[nodiscard]] inline std::error_code make_error_code(tls_error error) noexcept {
    return {static_cast<int>(error), tls_category()};
}

}  // namespace eddy

template <>
struct std::is_error_code_enum<eddy::tls_error> : std::true_type {};
