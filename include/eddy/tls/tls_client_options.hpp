#pragma once

#include <eddy/tls/tls_certificate.hpp>
#include <eddy/tls/tls_common_options.hpp>
#include <eddy/tls/tls_trust.hpp>

#include <cstddef>
#include <optional>
#include <utility>

namespace eddy {

/// How a client speaks TLS. By default the server's certificate has to be signed by somebody whom the system
/// trusts, valid now, and for the name of the target. A value; setters chain.
class tls_client_options : public tls_common_options<tls_client_options> {
public:
    tls_client_options() = default;

    /// Whose signature counts, instead of those whom the system trusts.
    tls_client_options& trust(tls_trust trust) {
        trust_ = std::move(trust);
        return *this;
    }
    /// Accepts every certificate, of whomever it is. Who listens between can be the server then; for tests.
    tls_client_options& without_verification() noexcept {
        verifies_ = false;
        return *this;
    }
    /// What is shown to servers that ask for a certificate. None by default.
    tls_client_options& certificate(tls_certificate own) {
        certificate_ = std::move(own);
        return *this;
    }
    /// Asks servers to hand over what the authority says of their certificate's state (RFC 6066 section 8).
    tls_client_options& ask_ocsp(bool is_on) noexcept {
        asks_ocsp_ = is_on;
        return *this;
    }
    /// Refuses servers that do not hand over a valid and good one, signed by the authority, in full
    /// handshakes. Asks for it, too. Requires verification.
    tls_client_options& require_ocsp(bool is_on) noexcept {
        requires_ocsp_ = is_on;
        asks_ocsp_ = asks_ocsp_ || is_on;
        return *this;
    }
    /// How many sessions are kept to be resumed, of all targets, the newest; each is some KiB. 256 by
    /// default, 0 for no resumption.
    tls_client_options& sessions_max(std::size_t count) noexcept {
        sessions_max_ = count;
        return *this;
    }

    [[nodiscard]] const tls_trust& trust() const noexcept { return trust_; }
    [[nodiscard]] bool verifies() const noexcept { return verifies_; }
    [[nodiscard]] const std::optional<tls_certificate>& certificate() const noexcept { return certificate_; }
    [[nodiscard]] bool ask_ocsp() const noexcept { return asks_ocsp_; }
    [[nodiscard]] bool require_ocsp() const noexcept { return requires_ocsp_; }
    [[nodiscard]] std::size_t sessions_max() const noexcept { return sessions_max_; }

private:
    tls_trust trust_ = tls_trust::system();
    bool verifies_ = true;
    bool asks_ocsp_ = false;
    bool requires_ocsp_ = false;
    std::optional<tls_certificate> certificate_;
    std::size_t sessions_max_ = 256;
};

}  // namespace eddy
