#pragma once

#include <eddy/tls/tls_certificate.hpp>
#include <eddy/tls/tls_common_options.hpp>
#include <eddy/tls/tls_trust.hpp>

#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

namespace eddy {

/// Whether a server requests certificates from its clients.
enum class tls_client_check {
    none,      ///< not requested
    optional,  ///< requested; clients without one are accepted, untrusted ones are refused
    required,  ///< clients without a trusted one are refused
};

/// How a server speaks TLS. A value; setters chain.
class tls_server_options : public tls_common_options<tls_server_options> {
public:
    /// The certificate for clients that name no server, or one that no other certificate is for.
    explicit tls_server_options(tls_certificate first) { certificates_.push_back(std::move(first)); }

    /// Another certificate, for the names that stand in it (RFC 6066 section 3). "*.example.org" in it stands
    /// for one label; an exact name goes before. Of several for the same name the first counts.
    tls_server_options& certificate(tls_certificate another) {
        certificates_.push_back(std::move(another));
        return *this;
    }
    /// Refuses clients that name a server for which there is no certificate (alert unrecognized_name). Off by
    /// default: the first certificate is shown to them.
    tls_server_options& refuse_unknown_names(bool is_on) noexcept {
        refuses_unknown_names_ = is_on;
        return *this;
    }
    /// Whether clients must present certificates, and which authorities are trusted. Not by default.
    tls_server_options& client_certificates(tls_client_check check, tls_trust trust) {
        client_check_ = check;
        trust_ = std::move(trust);
        return *this;
    }
    /// How many tickets a client gets with each TLS 1.3 handshake, with which it resumes later; 1 by default,
    /// 16 at most, 0 for no resumption at all, TLS 1.2 included.
    tls_server_options& tickets(std::size_t count) noexcept {
        tickets_ = count;
        return *this;
    }
    /// How often the key of the tickets is changed. Each is accepted for another such period, so that a
    /// ticket is good for one to two of them and forward secrecy is no older than that. 12 hours by default;
    /// a session is resumed for seven days at the most. Zero or less counts as a second.
    tls_server_options& ticket_key_period(std::chrono::seconds period) noexcept {
        ticket_key_period_ = period;
        return *this;
    }

    /// The certificates, the first for clients without a name.
    [[nodiscard]] const std::vector<tls_certificate>& certificates() const noexcept { return certificates_; }
    [[nodiscard]] bool refuse_unknown_names() const noexcept { return refuses_unknown_names_; }
    /// Whether clients need a certificate.
    [[nodiscard]] tls_client_check client_check() const noexcept { return client_check_; }
    /// Which certificates of clients are trusted.
    [[nodiscard]] const tls_trust& trust() const noexcept { return trust_; }
    [[nodiscard]] std::size_t tickets() const noexcept { return tickets_; }
    [[nodiscard]] std::chrono::seconds ticket_key_period() const noexcept { return ticket_key_period_; }

private:
    std::vector<tls_certificate> certificates_;
    tls_trust trust_;
    tls_client_check client_check_ = tls_client_check::none;
    bool refuses_unknown_names_ = false;
    std::size_t tickets_ = 1;
    std::chrono::seconds ticket_key_period_ = std::chrono::hours(12);
};

}  // namespace eddy
