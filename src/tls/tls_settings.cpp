#include "tls_settings.hpp"

#include "certificate_loading.hpp"
#include "key_log.hpp"
#include "ocsp_check.hpp"

#include <eddy/tls/detail/tls_engine.hpp>
#include <eddy/tls/tls_error.hpp>

#include <openssl/err.h>

#include <algorithm>
#include <new>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

namespace eddy::detail {

namespace {

template <class Options>
void set_common(SSL_CTX* context, const Options& options) {
    SSL_CTX_set_min_proto_version(context, static_cast<int>(options.version_min()));
    SSL_CTX_set_max_proto_version(context, static_cast<int>(options.version_max()));
    SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION |
                                     SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    if (SSL_CTX_set_cipher_list(context, options.ciphers().c_str()) != 1) {
        ERR_clear_error();
        throw std::invalid_argument("no cipher of TLS 1.2 is known by '" + options.ciphers() + "'");
    }
    if (SSL_CTX_set1_groups_list(context, options.groups().c_str()) != 1) {
        ERR_clear_error();
        throw std::invalid_argument("not a list of groups for the key exchange: '" + options.groups() + "'");
    }
    if (options.key_log_from_environment())
        log_keys(context);
}

/// Each costs a handshake some ten microseconds and the client some 250 bytes to be read.
constexpr std::size_t tickets_max = 16;

/// Whether there are groups of RFC 7919 among them, of which one exchange takes up to 120 ms.
bool has_slow_group(std::string_view groups) {
    const auto is_alike = [](char one, char other) { return (one | 0x20) == other; };
    return !std::ranges::search(groups, std::string_view("ffdhe"), is_alike).empty();
}

/// How long a session may be resumed, in seconds: at most what RFC 8446 section 4.6.1 allows.
long lifetime_of(std::chrono::seconds ticket_key_period) {
    constexpr std::chrono::seconds longest = std::chrono::days(7);
    return static_cast<long>(2 * std::clamp(ticket_key_period, std::chrono::seconds(1), longest / 2).count());
}

/// Whether a signature by the context's own key takes several milliseconds.
bool has_slow_key(const SSL_CTX* context) {
    constexpr int quick_bits_max = 3072;
    EVP_PKEY* const key = SSL_CTX_get0_privatekey(context);
    return key != nullptr && EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA &&
           EVP_PKEY_get_bits(key) > quick_bits_max;
}

}  // namespace

std::string encoded_alpn(const std::vector<std::string>& protocols) {
    std::string encoded;
    for (const std::string& each : protocols) {
        if (each.empty() || each.size() > 255)
            throw std::invalid_argument("the name of a protocol has 1 to 255 bytes");
        encoded += static_cast<char>(each.size());
        encoded += each;
    }
    return encoded;
}

template <class Options>
SSL_CTX* tls_settings::add_context(const SSL_METHOD* method, const Options& options) {
    ssl_context_handle made(SSL_CTX_new(method));
    if (!made)
        throw std::bad_alloc();
    SSL_CTX_set_app_data(made.get(), this);
    set_common(made.get(), options);
    has_slow_handshakes_ = has_slow_handshakes_ || has_slow_group(options.groups());
    contexts_.push_back(std::move(made));
    return contexts_.back().get();
}

// -- servers --

tls_settings::tls_settings(const tls_server_options& options, std::shared_ptr<ticket_keys> tickets)
    : alpn_(encoded_alpn(options.alpn())),
      tickets_(std::move(tickets)),
      refuses_unknown_names_(options.refuse_unknown_names()) {
    for (const tls_certificate& each : options.certificates())
        add_certificate(options, each);
    SSL_CTX_set_tlsext_servername_callback(context(), &choose_certificate);
    SSL_CTX_set_tlsext_servername_arg(context(), this);
}

void tls_settings::add_certificate(const tls_server_options& options, const tls_certificate& certificate) {
    SSL_CTX* const made = add_context(TLS_server_method(), options);
    for (const std::string& name : use_certificate(made, certificate))
        names_.add(name, contexts_.size() - 1);
    has_slow_handshakes_ = has_slow_handshakes_ || has_slow_key(made);
    set_tickets(made, options);
    set_client_check(made, options);
    if (!alpn_.empty())
        SSL_CTX_set_alpn_select_cb(made, &choose_protocol, this);
    if (!certificate.ocsp_response().empty()) {
        ocsp_responses_.push_back(std::make_unique<std::string>(
            content_of(certificate.ocsp_response(), "state of a certificate (OCSP)")));
        SSL_CTX_set_tlsext_status_cb(made, &staple);
        SSL_CTX_set_tlsext_status_arg(made, ocsp_responses_.back().get());
    }
}

void tls_settings::set_tickets(SSL_CTX* context, const tls_server_options& options) const {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_num_tickets(context, std::min(options.tickets(), tickets_max));
    if (options.tickets() == 0)
        SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
    else
        SSL_CTX_set_tlsext_ticket_key_evp_cb(context, &on_ticket);
    SSL_CTX_set_timeout(context, lifetime_of(options.ticket_key_period()));
    // Sessions with certificates of clients are resumed only under a context that says so.
    static constexpr unsigned char scope[] = "eddy";
    SSL_CTX_set_session_id_context(context, scope, sizeof scope - 1);
}

void tls_settings::set_client_check(SSL_CTX* context, const tls_server_options& options) const {
    if (options.client_check() == tls_client_check::none)
        return;
    use_trust(context, options.trust());
    const bool is_required = options.client_check() == tls_client_check::required;
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER | (is_required ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0),
                       nullptr);
    const auto* const trusted = X509_STORE_get0_objects(SSL_CTX_get_cert_store(context));
    for (int at = 0; at < sk_X509_OBJECT_num(trusted); ++at)
        if (X509* const each = X509_OBJECT_get0_X509(sk_X509_OBJECT_value(trusted, at)))
            SSL_CTX_add_client_CA(context, each);
}

int tls_settings::choose_certificate(SSL* ssl, int* alert, void* self) noexcept {
    const auto& settings = *static_cast<const tls_settings*>(self);
    const char* const name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);
    if (name == nullptr)
        return SSL_TLSEXT_ERR_NOACK;
    try {
        if (const auto found = settings.names_.find(name)) {
            SSL_set_SSL_CTX(ssl, settings.contexts_[*found].get());
            return SSL_TLSEXT_ERR_OK;
        }
    } catch (...) {
        *alert = SSL_AD_INTERNAL_ERROR;
        return SSL_TLSEXT_ERR_ALERT_FATAL;
    }
    if (!settings.refuses_unknown_names_)
        return SSL_TLSEXT_ERR_OK;
    *alert = SSL_AD_UNRECOGNIZED_NAME;
    return SSL_TLSEXT_ERR_ALERT_FATAL;
}

int tls_settings::choose_protocol(SSL*, const unsigned char** out, unsigned char* out_size,
                                  const unsigned char* in, unsigned in_size, void* self) noexcept {
    const std::string& own = static_cast<const tls_settings*>(self)->alpn_;
    // It returns a pointer into one of the two, both of which last until it is used.
    const int found = SSL_select_next_proto(const_cast<unsigned char**>(out), out_size,
                                            reinterpret_cast<const unsigned char*>(own.data()),
                                            static_cast<unsigned>(own.size()), in, in_size);
    return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

int tls_settings::staple(SSL* ssl, void* response) noexcept {
    const auto& bytes = *static_cast<const std::string*>(response);
    void* const copy = OPENSSL_memdup(bytes.data(), bytes.size());
    if (copy == nullptr)
        return SSL_TLSEXT_ERR_NOACK;
    SSL_set_tlsext_status_ocsp_resp(ssl, copy, static_cast<long>(bytes.size()));
    return SSL_TLSEXT_ERR_OK;
}

int tls_settings::on_ticket(SSL* ssl, unsigned char* name, unsigned char* vector, EVP_CIPHER_CTX* cipher,
                            EVP_MAC_CTX* mac, int encrypts) noexcept {
    const auto* const self = static_cast<const tls_settings*>(SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl)));
    const int result = self->tickets_->set_up(name, vector, cipher, mac, encrypts != 0);
    // A client of 1.3 uses each ticket once, so it gets another one.
    if (encrypts == 0 && result == ticket_keys::good && SSL_version(ssl) == TLS1_3_VERSION)
        return ticket_keys::good_but_old;
    return result;
}

// -- clients --

tls_settings::tls_settings(const tls_client_options& options, std::shared_ptr<session_cache> sessions)
    : alpn_(encoded_alpn(options.alpn())),
      sessions_(std::move(sessions)),
      verifies_(options.verifies()),
      requires_ocsp_(options.require_ocsp()),
      ocsp_age_max_(options.ocsp_age_max()) {
    SSL_CTX* const made = add_context(TLS_client_method(), options);
    if (options.certificate())
        use_certificate(made, *options.certificate());
    if (verifies_) {
        use_trust(made, options.trust());
        SSL_CTX_set_verify(made, SSL_VERIFY_PEER, nullptr);
    }
    if (!alpn_.empty())
        SSL_CTX_set_alpn_protos(made, reinterpret_cast<const unsigned char*>(alpn_.data()),
                                static_cast<unsigned>(alpn_.size()));
    if (options.ask_ocsp()) {
        SSL_CTX_set_tlsext_status_type(made, TLSEXT_STATUSTYPE_ocsp);
        SSL_CTX_set_tlsext_status_cb(made, &check_ocsp);
        SSL_CTX_set_tlsext_status_arg(made, this);
    }
    if (sessions_) {
        SSL_CTX_set_session_cache_mode(made, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
        SSL_CTX_sess_set_new_cb(made, &on_session);
    } else {
        SSL_CTX_set_session_cache_mode(made, SSL_SESS_CACHE_OFF);
        SSL_CTX_set_options(made, SSL_OP_NO_TICKET);
    }
}

int tls_settings::on_session(SSL* ssl, SSL_SESSION* session) noexcept {
    const auto* const self = static_cast<const tls_settings*>(SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl)));
    const auto* const engine = static_cast<const tls_engine*>(SSL_get_app_data(ssl));
    // One means that the session has been taken over.
    session_handle taken(session);
    try {
        if (SSL_SESSION_is_resumable(session) == 1)
            self->sessions_->add(engine->session_key(), std::move(taken));
    } catch (...) {
        // It is not resumed then.
    }
    return 1;
}

int tls_settings::check_ocsp(SSL* ssl, void* self) noexcept {
    const auto& settings = *static_cast<const tls_settings*>(self);
    if (!settings.requires_ocsp_ || SSL_session_reused(ssl) == 1)
        return 1;
    return is_stapled_good(ssl, settings.ocsp_age_max_) ? 1 : 0;
}

}  // namespace eddy::detail
