#pragma once

#include "support/certificates.hpp"

#include <openssl/ocsp.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>

namespace eddy::test {

/// What an authority says of a certificate, in DER: that it is good or was revoked, as of `age` ago and until
/// `valid` from now.
inline std::string ocsp_response(const key_and_certificate& authority, const key_and_certificate& about,
                                 bool is_good, std::chrono::seconds valid = std::chrono::hours(1),
                                 std::chrono::seconds age = std::chrono::seconds(0)) {
    const std::unique_ptr<OCSP_BASICRESP, decltype(&OCSP_BASICRESP_free)> basic(OCSP_BASICRESP_new(),
                                                                                &OCSP_BASICRESP_free);
    const std::unique_ptr<OCSP_CERTID, decltype(&OCSP_CERTID_free)> id(
        OCSP_cert_to_id(EVP_sha1(), about.certificate(), authority.certificate()), &OCSP_CERTID_free);
    const std::unique_ptr<ASN1_TIME, decltype(&ASN1_TIME_free)> now(
        X509_gmtime_adj(nullptr, std::min<long>(-age.count(), 2 * valid.count())), &ASN1_TIME_free);
    const std::unique_ptr<ASN1_TIME, decltype(&ASN1_TIME_free)> next(X509_gmtime_adj(nullptr, valid.count()),
                                                                     &ASN1_TIME_free);
    OCSP_basic_add1_status(
        basic.get(), id.get(), is_good ? V_OCSP_CERTSTATUS_GOOD : V_OCSP_CERTSTATUS_REVOKED,
        OCSP_REVOKED_STATUS_KEYCOMPROMISE, is_good ? nullptr : now.get(), now.get(), next.get());
    if (OCSP_basic_sign(basic.get(), authority.certificate(), authority.key(), EVP_sha256(), nullptr, 0) != 1)
        throw std::runtime_error("an answer of OCSP cannot be signed");
    const std::unique_ptr<OCSP_RESPONSE, decltype(&OCSP_RESPONSE_free)> whole(
        OCSP_response_create(OCSP_RESPONSE_STATUS_SUCCESSFUL, basic.get()), &OCSP_RESPONSE_free);
    unsigned char* bytes = nullptr;
    const int size = i2d_OCSP_RESPONSE(whole.get(), &bytes);
    const std::string der(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
    OPENSSL_free(bytes);
    return der;
}

}  // namespace eddy::test
