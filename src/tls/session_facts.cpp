#include "session_facts.hpp"

#include "certificate_loading.hpp"
#include "ocsp_check.hpp"
#include "openssl_handles.hpp"

#include <openssl/x509.h>

namespace eddy::detail {

namespace {

std::string name_text(const X509_NAME* name) {
    const bio_handle to(BIO_new(BIO_s_mem()));
    if (!to || X509_NAME_print_ex(to.get(), name, 0, XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB) < 0)
        return {};
    char* text = nullptr;
    const long size = BIO_get_mem_data(to.get(), &text);
    return {text, static_cast<std::size_t>(size)};
}

std::string fingerprint_of(const X509* certificate) {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    std::string text;
    if (X509_digest(certificate, EVP_sha256(), digest, &size) != 1)
        return text;
    constexpr std::string_view digits = "0123456789abcdef";
    for (unsigned at = 0; at < size; ++at) {
        text += digits[digest[at] >> 4];
        text += digits[digest[at] & 15];
    }
    return text;
}

}  // namespace

tls_session_info facts_of(SSL* ssl) {
    tls_session_info facts;
    facts.version = static_cast<tls_version>(SSL_version(ssl));
    facts.cipher = SSL_get_cipher_name(ssl);
    if (const char* const group = SSL_group_to_name(ssl, static_cast<int>(SSL_get_negotiated_group(ssl))))
        facts.group = group;
    const unsigned char* protocol = nullptr;
    unsigned size = 0;
    SSL_get0_alpn_selected(ssl, &protocol, &size);
    if (size != 0)
        facts.alpn.assign(reinterpret_cast<const char*>(protocol), size);
    if (const char* const name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name))
        facts.server_name = name;
    facts.is_resumed = SSL_session_reused(ssl) == 1;
    if (SSL_is_server(ssl) == 0)
        facts.ocsp_response = stapled_response(ssl);
    if (const X509* const peer = SSL_get0_peer_certificate(ssl)) {
        tls_peer_certificate& shown = facts.peer.emplace();
        shown.subject = name_text(X509_get_subject_name(peer));
        shown.issuer = name_text(X509_get_issuer_name(peer));
        shown.names = names_of(peer, true);
        shown.fingerprint = fingerprint_of(peer);
        shown.is_verified =
            SSL_get_verify_mode(ssl) != SSL_VERIFY_NONE && SSL_get_verify_result(ssl) == X509_V_OK;
    }
    return facts;
}

}  // namespace eddy::detail
