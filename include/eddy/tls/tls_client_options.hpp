#pragma once

#include <eddy/tls/tls_certificate.hpp>
#include <eddy/tls/tls_common_options.hpp>
#include <eddy/tls/tls_trust.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <utility>

namespace eddy {

/// How a client speaks TLS. By default the server's certificate must be signed by an authority that the
/// system trusts, valid now, and for the name of the target. A value; setters chain.
class tls_client_options : public tls_common_options<tls_client_options> {
public:
    tls_client_options() = default;

    /// The trusted authorities, instead of the system's.
    tls_client_options& trust(tls_trust trust) {
        trust_ = std::move(trust);
        return *this;
    }
    /// Accepts every certificate, so that any machine in between can pose as the server; for tests.
    tls_client_options& without_verification() noexcept {
        verifies_ = false;
        return *this;
    }
    /// The certificate for servers that ask for one. None by default.
    tls_client_options& certificate(tls_certificate own) {
        certificate_ = std::move(own);
        return *this;
    }
    /// Requests the authority's statement on the certificate's state from servers (RFC 6066 section 8).
    tls_client_options& ask_ocsp(bool is_on) noexcept {
        asks_ocsp_ = is_on;
        return *this;
    }
    /// Refuses servers that do not send a valid and good one, signed by the authority, in full handshakes.
    /// Implies ask_ocsp(). Requires verification.
    tls_client_options& require_ocsp(bool is_on) noexcept {
        requires_ocsp_ = is_on;
        asks_ocsp_ = asks_ocsp_ || is_on;
        return *this;
    }
    /// The greatest age of the statement (since thisUpdate) for require_ocsp(). 10 days by default, the
    /// longest validity that public authorities may use (Baseline Requirements 4.9.10); max() for no limit,
    /// and then the authority's own nextUpdate alone counts. Clocks may be five minutes apart.
    tls_client_options& ocsp_age_max(std::chrono::seconds age) noexcept {
        ocsp_age_max_ = age;
        return *this;
    }
    /// How many sessions are kept to be resumed, of all targets, the newest; each is some KiB. 256 by
    /// default, 0 for no resumption.
    tls_client_options& sessions_max(std::size_t count) noexcept {
        sessions_max_ = count;
        return *this;
    }

    [[nodiscard]] const tls_trust& trust() const noexcept { return trust_; }
    /// Whether the server's certificate is verified.
    [[nodiscard]] bool verifies() const noexcept { return verifies_; }
    [[nodiscard]] const std::optional<tls_certificate>& certificate() const noexcept { return certificate_; }
    [[nodiscard]] bool ask_ocsp() const noexcept { return asks_ocsp_; }
    [[nodiscard]] bool require_ocsp() const noexcept { return requires_ocsp_; }
    [[nodiscard]] std::chrono::seconds ocsp_age_max() const noexcept { return ocsp_age_max_; }
    [[nodiscard]] std::size_t sessions_max() const noexcept { return sessions_max_; }

private:
    tls_trust trust_ = tls_trust::system();
    bool verifies_ = true;
    bool asks_ocsp_ = false;
    bool requires_ocsp_ = false;
    std::chrono::seconds ocsp_age_max_ = std::chrono::days(10);
    std::optional<tls_certificate> certificate_;
    std::size_t sessions_max_ = 256;
};

}  // namespace eddy
