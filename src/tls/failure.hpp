#pragma once

#include <openssl/ssl.h>

#include <system_error>

namespace eddy::detail {

/// Why something has failed: a code, and words that live for ever, or null.
struct tls_failure {
    std::error_code code;
    const char* detail;
};

/// What OpenSSL has noted on this thread about a connection, which it forgets.
[[nodiscard]] tls_failure take_failure(SSL* ssl) noexcept;

}  // namespace eddy::detail
