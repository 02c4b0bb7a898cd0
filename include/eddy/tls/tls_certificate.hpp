#pragma once

#include <eddy/tls/tls_material.hpp>

#include <string>
#include <utility>

namespace eddy {

/// A certificate to show, with what belongs to it, all in PEM. A value; nothing is read before a tls_context
/// is made of it. Setters chain.
class tls_certificate {
public:
    /// The chain, the own certificate first and those of the authorities between behind it, and the private
    /// key.
    tls_certificate(tls_material chain, tls_material key) : chain_(std::move(chain)), key_(std::move(key)) {}
    /// From two files in PEM.
    [[nodiscard]] static tls_certificate files(std::string chain_path, std::string key_path) {
        return {tls_material::file(std::move(chain_path)), tls_material::file(std::move(key_path))};
    }
    /// From two texts in PEM.
    [[nodiscard]] static tls_certificate pem(std::string chain, std::string key) {
        return {tls_material::text(std::move(chain)), tls_material::text(std::move(key))};
    }

    /// The password of the private key. It is never prompted for: an encrypted key without a password is an
    /// error.
    tls_certificate& password(std::string password) {
        password_ = std::move(password);
        return *this;
    }
    /// The authority's statement on the certificate's state, in DER, as `openssl ocsp -respout` writes it; a
    /// server sends it to clients that ask for it (RFC 6066 section 8).
    tls_certificate& ocsp_response(tls_material response) {
        ocsp_response_ = std::move(response);
        return *this;
    }

    /// The certificate, and those that lead from it to a trusted one.
    [[nodiscard]] const tls_material& chain() const noexcept { return chain_; }
    /// Its private key.
    [[nodiscard]] const tls_material& key() const noexcept { return key_; }
    [[nodiscard]] const std::string& password() const noexcept { return password_; }
    [[nodiscard]] const tls_material& ocsp_response() const noexcept { return ocsp_response_; }

private:
    tls_material chain_;
    tls_material key_;
    tls_material ocsp_response_;
    std::string password_;
};

}  // namespace eddy
