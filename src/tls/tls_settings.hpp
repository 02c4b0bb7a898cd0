#pragma once

#include "openssl_handles.hpp"
#include "server_names.hpp"
#include "session_cache.hpp"
#include "ticket_keys.hpp"

#include <eddy/tls/tls_client_options.hpp>
#include <eddy/tls/tls_server_options.hpp>

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace eddy::detail {

/// Protocol names in the form of RFC 7301 section 3.1. Throws std::invalid_argument for names that are empty
/// or too long.
[[nodiscard]] std::string encoded_alpn(const std::vector<std::string>& protocols);

/// What connections are made with: OpenSSL's contexts. Never changes once it is made; the engines that use it
/// share it.
///
/// Thread safety: any number of threads.
class tls_settings {
public:
    /// For a server. Throws what tls_context does.
    tls_settings(const tls_server_options& options, std::shared_ptr<ticket_keys> tickets);
    /// For a client.
    tls_settings(const tls_client_options& options, std::shared_ptr<session_cache> sessions);
    tls_settings(const tls_settings&) = delete;
    tls_settings& operator=(const tls_settings&) = delete;
    ~tls_settings() = default;

    /// What a new connection begins with.
    [[nodiscard]] SSL_CTX* context() const noexcept { return contexts_.front().get(); }
    /// A client's sessions, or null.
    [[nodiscard]] session_cache* sessions() const noexcept { return sessions_.get(); }
    /// Whether a client checks the certificates of its servers.
    [[nodiscard]] bool verifies() const noexcept { return verifies_; }
    [[nodiscard]] bool requires_ocsp() const noexcept { return requires_ocsp_; }
    /// Whether one step of a handshake may take several milliseconds.
    [[nodiscard]] bool has_slow_handshakes() const noexcept { return has_slow_handshakes_; }

private:
    template <class Options>
    SSL_CTX* add_context(const SSL_METHOD* method, const Options& options);
    void add_certificate(const tls_server_options& options, const tls_certificate& certificate);
    void set_tickets(SSL_CTX* context, const tls_server_options& options) const;
    void set_client_check(SSL_CTX* context, const tls_server_options& options) const;

    // What OpenSSL calls, with this as the argument.
    static int choose_certificate(SSL* ssl, int* alert, void* self) noexcept;
    static int choose_protocol(SSL* ssl, const unsigned char** out, unsigned char* out_size,
                               const unsigned char* in, unsigned in_size, void* self) noexcept;
    static int staple(SSL* ssl, void* response) noexcept;
    static int on_ticket(SSL* ssl, unsigned char* name, unsigned char* vector, EVP_CIPHER_CTX* cipher,
                         EVP_MAC_CTX* mac, int encrypts) noexcept;
    static int on_session(SSL* ssl, SSL_SESSION* session) noexcept;
    static int check_ocsp(SSL* ssl, void* self) noexcept;

    std::vector<ssl_context_handle> contexts_;  // one a certificate
    std::vector<std::unique_ptr<std::string>> ocsp_responses_;
    server_names names_;
    std::string alpn_;  // encoded
    std::shared_ptr<ticket_keys> tickets_;
    std::shared_ptr<session_cache> sessions_;
    bool refuses_unknown_names_ = false;
    bool verifies_ = false;
    bool requires_ocsp_ = false;
    bool has_slow_handshakes_ = false;
    std::chrono::seconds ocsp_age_max_{};
};

}  // namespace eddy::detail
