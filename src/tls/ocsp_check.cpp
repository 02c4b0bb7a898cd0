#include "ocsp_check.hpp"

#include "openssl_handles.hpp"

#include <openssl/ocsp.h>

#include <algorithm>

namespace eddy::detail {

namespace {

/// How far clocks may be apart, in seconds.
constexpr long clock_tolerance = 300;

/// Names the peer's certificate the way that responses do; null if it has no issuer in the chain.
ocsp_id_handle id_of_peer(SSL* ssl, const EVP_MD* digest) noexcept {
    STACK_OF(X509)* const chain = SSL_get0_verified_chain(ssl);
    if (sk_X509_num(chain) < 2)
        return nullptr;
    return ocsp_id_handle(OCSP_cert_to_id(digest, sk_X509_value(chain, 0), sk_X509_value(chain, 1)));
}

/// OpenSSL's: a number of seconds, -1 for no limit.
long age_limit(std::chrono::seconds age_max) noexcept {
    constexpr std::chrono::seconds longest = std::chrono::years(1000);
    if (age_max > longest)
        return -1;
    return static_cast<long>(std::max(age_max, std::chrono::seconds(0)).count()) + clock_tolerance;
}

bool is_good_now(SSL* ssl, OCSP_BASICRESP* response, const EVP_MD* digest,
                 std::chrono::seconds age_max) noexcept {
    const ocsp_id_handle id = id_of_peer(ssl, digest);
    if (!id)
        return false;
    int status = V_OCSP_CERTSTATUS_UNKNOWN;
    int reason = 0;
    ASN1_GENERALIZEDTIME* revoked = nullptr;
    ASN1_GENERALIZEDTIME* updated = nullptr;
    ASN1_GENERALIZEDTIME* next = nullptr;
    if (OCSP_resp_find_status(response, id.get(), &status, &reason, &revoked, &updated, &next) != 1)
        return false;
    return status == V_OCSP_CERTSTATUS_GOOD &&
           OCSP_check_validity(updated, next, clock_tolerance, age_limit(age_max)) == 1;
}

}  // namespace

std::string_view stapled_response(SSL* ssl) noexcept {
    const unsigned char* bytes = nullptr;
    const long size = SSL_get_tlsext_status_ocsp_resp(ssl, static_cast<void*>(&bytes));
    if (bytes == nullptr || size <= 0)
        return {};
    return {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size)};
}

bool is_stapled_good(SSL* ssl, std::chrono::seconds age_max) noexcept {
    const std::string_view text = stapled_response(ssl);
    const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
    const ocsp_response_handle response(d2i_OCSP_RESPONSE(nullptr, &bytes, static_cast<long>(text.size())));
    if (!response || OCSP_response_status(response.get()) != OCSP_RESPONSE_STATUS_SUCCESSFUL)
        return false;
    const ocsp_basic_handle basic(OCSP_response_get1_basic(response.get()));
    X509_STORE* const trusted = SSL_CTX_get_cert_store(SSL_get_SSL_CTX(ssl));
    if (!basic || OCSP_basic_verify(basic.get(), SSL_get0_verified_chain(ssl), trusted, 0) != 1)
        return false;
    return is_good_now(ssl, basic.get(), EVP_sha1(), age_max) ||
           is_good_now(ssl, basic.get(), EVP_sha256(), age_max);
}

}  // namespace eddy::detail
