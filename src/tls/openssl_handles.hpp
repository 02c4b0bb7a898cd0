#pragma once

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/ocsp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <memory>

namespace eddy::detail {

/// Owns what one of OpenSSL's functions frees.
template <auto free>
struct freed_by {
    template <class T>
    void operator()(T* held) const noexcept {
        free(held);
    }
};

using ssl_context_handle = std::unique_ptr<SSL_CTX, freed_by<&SSL_CTX_free>>;
using session_handle = std::unique_ptr<SSL_SESSION, freed_by<&SSL_SESSION_free>>;
using bio_handle = std::unique_ptr<BIO, freed_by<&BIO_free>>;
using key_handle = std::unique_ptr<EVP_PKEY, freed_by<&EVP_PKEY_free>>;
using certificate_handle = std::unique_ptr<X509, freed_by<&X509_free>>;
using ocsp_response_handle = std::unique_ptr<OCSP_RESPONSE, freed_by<&OCSP_RESPONSE_free>>;
using ocsp_basic_handle = std::unique_ptr<OCSP_BASICRESP, freed_by<&OCSP_BASICRESP_free>>;
using ocsp_id_handle = std::unique_ptr<OCSP_CERTID, freed_by<&OCSP_CERTID_free>>;

}  // namespace eddy::detail
