#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

struct ssl_ctx_st;
struct ssl_st;

namespace bench {

// How the load generator speaks TLS: version 1.3 with X25519 and TLS_AES_128_GCM_SHA256 whomever it talks to,
// and never resumed. Certificates are not verified, but for the server's having their keys.
class tls_settings {
public:
    // Throws std::runtime_error.
    tls_settings();

    ssl_ctx_st* native() const { return context_.get(); }

private:
    std::shared_ptr<ssl_ctx_st> context_;
};

// The client's side of one TLS connection, in memory: what comes from the peer is fed, what is for the peer
// is taken.
class tls_session {
public:
    explicit tls_session(const tls_settings& settings);

    // Bytes from the peer.
    void feed(std::string_view bytes);
    // Takes the handshake as far as the bytes fed allow.
    void shake_hands();
    bool is_established() const { return is_established_; }
    // The peer has broken the protocol, or ended the connection.
    bool has_failed() const { return has_failed_; }

    // Requires of these three: is_established().
    void write(std::string_view text);
    void write_close();
    // The next bytes that came, or nothing; good until the next call of any session.
    std::string_view read();

    // All that is to be sent now; good until the next call.
    std::string_view take_output();

private:
    struct freed {
        void operator()(ssl_st* session) const;
    };

    std::unique_ptr<ssl_st, freed> session_;
    std::string output_;
    bool is_established_ = false;
    bool has_failed_ = false;
};

}  // namespace bench
