#pragma once

#include <openssl/bio.h>

namespace eddy::detail {

class tls_engine;

/// What OpenSSL reads ciphertext from and writes it to: the engine's input and output. Throws std::bad_alloc.
/// The engine outlives it.
[[nodiscard]] BIO* new_stream_bio(tls_engine& engine);

}  // namespace eddy::detail
