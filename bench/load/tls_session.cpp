#include "load/tls_session.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <array>
#include <new>
#include <stdexcept>

namespace bench {

tls_settings::tls_settings() : context_(SSL_CTX_new(TLS_client_method()), SSL_CTX_free) {
    if (!context_ || SSL_CTX_set_min_proto_version(native(), TLS1_3_VERSION) != 1 ||
        SSL_CTX_set_ciphersuites(native(), "TLS_AES_128_GCM_SHA256") != 1 ||
        SSL_CTX_set1_groups_list(native(), "X25519") != 1)
        throw std::runtime_error("OpenSSL does not offer what is needed");
    SSL_CTX_set_verify(native(), SSL_VERIFY_NONE, nullptr);
    SSL_CTX_set_session_cache_mode(native(), SSL_SESS_CACHE_OFF);
}

void tls_session::freed::operator()(ssl_st* session) const {
    SSL_free(session);
}

tls_session::tls_session(const tls_settings& settings) : session_(SSL_new(settings.native())) {
    BIO* const input = BIO_new(BIO_s_mem());
    BIO* const output = BIO_new(BIO_s_mem());
    if (!session_ || !input || !output)
        throw std::bad_alloc();
    SSL_set_bio(session_.get(), input, output);
    SSL_set_connect_state(session_.get());
}

void tls_session::feed(std::string_view bytes) {
    BIO_write(SSL_get_rbio(session_.get()), bytes.data(), static_cast<int>(bytes.size()));
}

void tls_session::shake_hands() {
    ERR_clear_error();
    const int result = SSL_do_handshake(session_.get());
    is_established_ = result == 1;
    has_failed_ = result != 1 && SSL_get_error(session_.get(), result) != SSL_ERROR_WANT_READ;
}

void tls_session::write(std::string_view text) {
    has_failed_ |= SSL_write(session_.get(), text.data(), static_cast<int>(text.size())) <= 0;
}

void tls_session::write_close() {
    SSL_shutdown(session_.get());
}

std::string_view tls_session::read() {
    static std::array<char, 16384> text;  // a record's most
    ERR_clear_error();
    const int size = SSL_read(session_.get(), text.data(), static_cast<int>(text.size()));
    if (size > 0)
        return {text.data(), static_cast<std::size_t>(size)};
    has_failed_ |= SSL_get_error(session_.get(), size) != SSL_ERROR_WANT_READ;
    return {};
}

std::string_view tls_session::take_output() {
    char* bytes = nullptr;
    BIO* const output = SSL_get_wbio(session_.get());
    const long size = BIO_get_mem_data(output, &bytes);
    output_.assign(bytes, static_cast<std::size_t>(size));
    BIO_reset(output);
    return output_;
}

}  // namespace bench
