#pragma once

#include "support/certificates.hpp"

#include <eddy/tls/tls_certificate.hpp>
#include <eddy/tls/tls_client_options.hpp>
#include <eddy/tls/tls_context.hpp>
#include <eddy/tls/tls_server_options.hpp>
#include <eddy/tls/tls_trust.hpp>

namespace eddy::test {

/// An authority for all tests of a program, since making keys takes time.
inline const certificate_authority& authority() {
    static const certificate_authority made;
    return made;
}

inline tls_certificate shown(const key_and_certificate& made) {
    return tls_certificate::pem(made.certificate_pem(), made.key_pem());
}

/// A certificate for "localhost", made once.
inline const key_and_certificate& localhost() {
    static const key_and_certificate made =
        authority().issue(certificate_wish("localhost").address("127.0.0.1").address("::1"));
    return made;
}

inline tls_server_options server_options() {
    return tls_server_options(shown(localhost()));
}

inline tls_client_options client_options() {
    return tls_client_options().trust(tls_trust().pem(authority().pem()));
}

}  // namespace eddy::test
