#pragma once

#include <eddy/tls/tls_version.hpp>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace eddy {

/// What servers and clients have in common. Self is the type whose setters these are.
template <class Self>
class tls_common_options {
public:
    /// The oldest version that is spoken. 1.2 by default.
    Self& version_min(tls_version version) noexcept {
        version_min_ = version;
        return self();
    }
    /// The newest one. 1.3 by default.
    Self& version_max(tls_version version) noexcept {
        version_max_ = version;
        return self();
    }
    /// The protocols spoken over the connection, the preferred one first: "http/1.1", say (RFC 7301). None by
    /// default: then nothing is said about it.
    Self& alpn(std::vector<std::string> protocols) {
        alpn_ = std::move(protocols);
        return self();
    }
    /// How long a handshake may take in all; 10 s by default, zero for no limit. Beyond: timed_out.
    Self& handshake_time_max(std::chrono::milliseconds length) noexcept {
        handshake_time_max_ = length;
        return self();
    }
    /// Computes handshakes on the runtime's offload pool, so that a worker's other connections do not wait
    /// for signatures and for certificates to be checked. Off by default: a step there costs some 10 us
    /// beside the computation.
    Self& offload_handshakes(bool is_on) noexcept {
        offloads_handshakes_ = is_on;
        return self();
    }
    /// Appends the secrets of every connection to the file that the environment variable SSLKEYLOGFILE names,
    /// if it is set, for tools that look into captured traffic (RFC 9850). Off by default, whatever the
    /// environment says: who can read that file can read everything. Writing to it may block the worker.
    Self& key_log_from_environment(bool is_on) noexcept {
        logs_keys_ = is_on;
        return self();
    }
    /// The cipher suites of TLS 1.2 in OpenSSL's words. By default those with forward secrecy and
    /// authenticated encryption.
    Self& ciphers(std::string list) {
        ciphers_ = std::move(list);
        return self();
    }

    [[nodiscard]] tls_version version_min() const noexcept { return version_min_; }
    [[nodiscard]] tls_version version_max() const noexcept { return version_max_; }
    [[nodiscard]] const std::vector<std::string>& alpn() const noexcept { return alpn_; }
    [[nodiscard]] std::chrono::milliseconds handshake_time_max() const noexcept {
        return handshake_time_max_;
    }
    [[nodiscard]] bool offload_handshakes() const noexcept { return offloads_handshakes_; }
    [[nodiscard]] bool key_log_from_environment() const noexcept { return logs_keys_; }
    [[nodiscard]] const std::string& ciphers() const noexcept { return ciphers_; }

private:
    friend Self;
    tls_common_options() = default;
    Self& self() noexcept { return static_cast<Self&>(*this); }

    tls_version version_min_ = tls_version::tls_1_2;
    tls_version version_max_ = tls_version::tls_1_3;
    bool offloads_handshakes_ = false;
    bool logs_keys_ = false;
    std::vector<std::string> alpn_;
    std::chrono::milliseconds handshake_time_max_ = std::chrono::seconds(10);
    std::string ciphers_ = "ECDHE+AESGCM:ECDHE+CHACHA20:DHE+AESGCM:DHE+CHACHA20:!aNULL:!PSK:!SRP";
};

}  // namespace eddy
