#include "failure.hpp"

#include <eddy/tls/tls_error.hpp>

#include <openssl/err.h>
#include <openssl/sslerr.h>
#include <openssl/x509_vfy.h>

namespace eddy::detail {

namespace {

tls_error error_of_reason(int reason) noexcept {
    switch (reason) {
        case SSL_R_CERTIFICATE_VERIFY_FAILED:
        case SSL_R_INVALID_STATUS_RESPONSE:
            return tls_error::certificate_refused;
        case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE:
            return tls_error::certificate_missing;
        case SSL_R_NO_SHARED_CIPHER:
        case SSL_R_NO_CIPHERS_AVAILABLE:
        case SSL_R_UNSUPPORTED_PROTOCOL:
        case SSL_R_NO_PROTOCOLS_AVAILABLE:
        case SSL_R_UNSUPPORTED_SSL_VERSION:
        case SSL_R_VERSION_TOO_LOW:
        case SSL_R_WRONG_SSL_VERSION:
        case SSL_R_INAPPROPRIATE_FALLBACK:
        case SSL_R_NO_SUITABLE_KEY_SHARE:
        case SSL_R_NO_SUITABLE_SIGNATURE_ALGORITHM:
        case SSL_R_NO_SHARED_SIGNATURE_ALGORITHMS:
        case SSL_R_NO_SHARED_GROUPS:
        case SSL_R_NO_SUITABLE_GROUPS:
        case SSL_R_NO_APPLICATION_PROTOCOL:
        case SSL_R_CALLBACK_FAILED:
        case SSL_R_CLIENTHELLO_TLSEXT:
            return tls_error::handshake_failed;
        default:
            return reason >= SSL_AD_REASON_OFFSET ? tls_error::alert_received : tls_error::protocol_violated;
    }
}

}  // namespace

tls_failure take_failure(SSL* ssl) noexcept {
    // The first error of TLS itself says most: those before it are details, those behind it where it passed
    // through.
    unsigned long error = 0;
    while (const unsigned long next = ERR_get_error())
        if (error == 0 || (ERR_GET_LIB(error) != ERR_LIB_SSL && ERR_GET_LIB(next) == ERR_LIB_SSL))
            error = next;
    if (error == 0)
        return {tls_error::handshake_failed, nullptr};
    const int reason = ERR_GET_REASON(error);
    if (reason == ERR_R_MALLOC_FAILURE)
        return {std::make_error_code(std::errc::not_enough_memory), nullptr};
    const char* detail = ERR_reason_error_string(error);
    const tls_error code =
        ERR_GET_LIB(error) == ERR_LIB_SSL ? error_of_reason(reason) : tls_error::protocol_violated;
    if (reason == SSL_R_CERTIFICATE_VERIFY_FAILED && SSL_get_verify_result(ssl) != X509_V_OK)
        detail = X509_verify_cert_error_string(SSL_get_verify_result(ssl));
    return {code, detail};
}

}  // namespace eddy::detail
