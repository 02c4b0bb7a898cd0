#pragma once

#include "openssl_handles.hpp"

#include <eddy/tls/tls_certificate.hpp>
#include <eddy/tls/tls_material.hpp>
#include <eddy/tls/tls_trust.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace eddy::detail {

// All of these throw std::system_error with tls_error::bad_certificate_file, and name what was read; with the
// system's error where the program lacks what reading takes.

/// The bytes.
[[nodiscard]] std::string content_of(const tls_material& material, std::string_view what);
/// Throws the error, with what OpenSSL says of it.
[[noreturn]] void throw_bad_material(const tls_material& material, std::string_view what);

/// Makes a context present the certificate. Returns the names that it is for, in lower case.
std::vector<std::string> use_certificate(SSL_CTX* context, const tls_certificate& certificate);
/// Makes a context trust them.
void use_trust(SSL_CTX* context, const tls_trust& trust);

/// The DNS names of a certificate, in lower case, and addresses if wanted. The subject is not used (RFC 9110
/// section 4.3.4).
[[nodiscard]] std::vector<std::string> names_of(const X509* certificate, bool with_addresses);

}  // namespace eddy::detail
