#pragma once

#include <eddy/tls/tls_common_options.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace eddy {

/// The certificate that a peer has shown.
class tls_peer_certificate {
public:
    std::string subject;             ///< as RFC 2253 writes it: "CN=example.org"
    std::string issuer;              ///< the same
    std::vector<std::string> names;  ///< DNS names and addresses in it
    std::string fingerprint;         ///< SHA-256 of it, in hexadecimal digits
    bool is_verified = false;        ///< whether it was checked and found good
};

/// What two sides have agreed on in a handshake. A value.
class tls_session_info {
public:
    /// The version that was agreed on.
    tls_version version = tls_version::tls_1_3;
    std::string_view cipher;                   ///< the suite in OpenSSL's words; lives for ever
    std::string group;                         ///< of the key exchange: "x25519", or empty if unknown
    std::string alpn;                          ///< the protocol agreed on, or empty
    std::string server_name;                   ///< which server the client has named, or empty
    bool is_resumed = false;                   ///< whether an earlier session was gone on with
    std::optional<tls_peer_certificate> peer;  ///< what the peer has shown
    std::string ocsp_response;                 ///< what a client was handed of it, in DER
};

}  // namespace eddy
