#pragma once

#include <eddy/tls/tls_material.hpp>

#include <string>
#include <utility>
#include <vector>

namespace eddy {

/// The authorities that are trusted to sign certificates. A value; setters chain.
class tls_trust {
public:
    /// The authorities that the system trusts: what OpenSSL's defaults name, SSL_CERT_FILE and SSL_CERT_DIR.
    [[nodiscard]] static tls_trust system() {
        tls_trust made;
        made.has_system_ = true;
        return made;
    }
    /// None, until some are added.
    tls_trust() = default;

    /// The authorities, or single certificates, of a file in PEM.
    tls_trust& file(std::string path) {
        materials_.push_back(tls_material::file(std::move(path)));
        return *this;
    }
    /// The same from memory.
    tls_trust& pem(std::string text) {
        materials_.push_back(tls_material::text(std::move(text)));
        return *this;
    }

    /// Whether the system's certificates are trusted.
    [[nodiscard]] bool has_system() const noexcept { return has_system_; }
    /// The certificates that are trusted besides.
    [[nodiscard]] const std::vector<tls_material>& materials() const noexcept { return materials_; }

private:
    std::vector<tls_material> materials_;
    bool has_system_ = false;
};

}  // namespace eddy
