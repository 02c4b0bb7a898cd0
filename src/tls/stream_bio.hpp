#pragma once

// For g++ a class is as visible as where it is first declared, so it is not declared here.
#include <eddy/tls/detail/tls_engine.hpp>

#include <openssl/bio.h>

namespace eddy::detail {

/// What OpenSSL reads ciphertext from and writes it to: the engine's input and output. Throws std::bad_alloc.
/// The engine outlives it.
[[nodiscard]] BIO* new_stream_bio(tls_engine& engine);

}  // namespace eddy::detail
