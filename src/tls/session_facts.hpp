#pragma once

#include <eddy/tls/tls_session_info.hpp>

#include <openssl/ssl.h>

namespace eddy::detail {

/// What a handshake that is done has come to.
/// Throws std::bad_alloc.
[[nodiscard]] tls_session_info facts_of(SSL* ssl);

}  // namespace eddy::detail
