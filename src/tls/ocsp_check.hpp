#pragma once

#include <openssl/ssl.h>

#include <chrono>
#include <string>
#include <string_view>

namespace eddy::detail {

/// What the peer has handed over of its certificate's state, in DER; empty if nothing.
[[nodiscard]] std::string_view stapled_response(SSL* ssl) noexcept;

/// Whether it says, now and signed by the authority, that the certificate of the peer is good (RFC 6960), and
/// has said so `age_max` ago at the most.
/// Requires: the chain of the peer has been verified.
[[nodiscard]] bool is_stapled_good(SSL* ssl, std::chrono::seconds age_max) noexcept;

}  // namespace eddy::detail
