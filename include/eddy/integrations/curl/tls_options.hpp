#pragma once

#include <eddy/detail/build.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace eddy::curl {

/// A version of TLS.
enum class tls_version : std::uint8_t {
    /// RFC 5246.
    v1_2,
    /// RFC 8446.
    v1_3,
};

/// How a transfer speaks TLS. The default is safe: TLS 1.2 or later, and the server proves its name by a
/// certificate of an authority that the system trusts. A value; setters chain.
class tls_options {
public:
    tls_options() = default;

    /// A file with the certificates (PEM) of the authorities to trust, in place of the system's.
    tls_options& ca_file(std::string path) {
        ca_file_ = std::move(path);
        return *this;
    }
    /// The same from memory.
    tls_options& ca_pem(std::string text) {
        ca_pem_ = std::move(text);
        return *this;
    }
    /// The certificate (PEM, with what leads to the authority) and the key to show to the server.
    tls_options& client_certificate(std::string certificate_path, std::string key_path,
                                    std::string key_password = {}) {
        certificate_file_ = std::move(certificate_path);
        key_file_ = std::move(key_path);
        key_password_ = std::move(key_password);
        return *this;
    }
    /// The lowest version that is accepted.
    tls_options& lowest_version(tls_version version) noexcept {
        lowest_version_ = version;
        return *this;
    }
    /// Off, anybody may be the server: for tests of one's own only.
    tls_options& verify(bool is_on) noexcept {
        verifies_ = is_on;
        return *this;
    }

    [[nodiscard]] const std::string& ca_file() const noexcept { return ca_file_; }
    [[nodiscard]] const std::string& ca_pem() const noexcept { return ca_pem_; }
    /// The client's certificate; empty for none.
    [[nodiscard]] const std::string& certificate_file() const noexcept { return certificate_file_; }
    /// Its private key.
    [[nodiscard]] const std::string& key_file() const noexcept { return key_file_; }
    /// The password of the key.
    [[nodiscard]] const std::string& key_password() const noexcept { return key_password_; }
    [[nodiscard]] tls_version lowest_version() const noexcept { return lowest_version_; }
    [[nodiscard]] bool verify() const noexcept { return verifies_; }

private:
    std::string ca_file_;
    std::string ca_pem_;
    std::string certificate_file_;
    std::string key_file_;
    std::string key_password_;
    tls_version lowest_version_ = tls_version::v1_2;
    bool verifies_ = true;
};

}  // namespace eddy::curl
