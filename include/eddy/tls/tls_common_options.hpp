#pragma once

#include <eddy/detail/build.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eddy {

/// The versions of TLS that are spoken; older ones are refused (RFC 8996).
enum class tls_version : std::uint16_t {
    tls_1_2 = 0x0303,  ///< RFC 5246
    tls_1_3 = 0x0304,  ///< RFC 8446
};

/// "TLSv1.2" or "TLSv1.3".
[[nodiscard]] constexpr std::string_view name_of(tls_version version) noexcept {
    return version == tls_version::tls_1_3 ? "TLSv1.3" : "TLSv1.2";
}

/// What servers and clients have in common. Self is the type that the setters return.
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
    /// The groups for the key exchange in OpenSSL's words, the preferred one first. X25519, P-256 and P-384
    /// by default, which cost a server less than a millisecond each. Those of RFC 7919 cost it up to 120 ms
    /// for a hello of 1.3 KB that anybody can replay: with "X25519:P-256:P-384:ffdhe2048", say, handshakes
    /// are computed on the offload pool unless offload_handshakes() says otherwise.
    Self& groups(std::string list) {
        groups_ = std::move(list);
        return self();
    }
    /// How long a handshake may take in all; 10 s by default, max() for no limit. Beyond, and at once with
    /// zero or less unless nothing has to be waited for: timed_out.
    Self& handshake_time_max(std::chrono::milliseconds length) noexcept {
        handshake_time_max_ = length;
        return self();
    }
    /// Computes handshakes on the runtime's offload pool, so that a worker's other connections do not wait
    /// for signatures and for certificates to be checked. A step there costs some 10 us beside the
    /// computation. By default on where a step may take several milliseconds: with groups of RFC 7919, and
    /// for servers with an RSA key of more than 3072 bits. Such steps are long work there
    /// (offload_long_threads_max). What is computed on the worker instead is at most one step in a turn:
    /// established connections go first, and handshakes wait for each other in order.
    Self& offload_handshakes(bool is_on) noexcept {
        offloads_handshakes_ = is_on;
        return self();
    }
    /// Appends the secrets of every connection to the file that the environment variable SSLKEYLOGFILE names,
    /// if it is set, for tools that look into captured traffic (RFC 9850). Off by default, whatever the
    /// environment says: the file decrypts all traffic. Writing to it may block the worker.
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
    /// Empty: where they take long.
    [[nodiscard]] std::optional<bool> offload_handshakes() const noexcept { return offloads_handshakes_; }
    [[nodiscard]] bool key_log_from_environment() const noexcept { return logs_keys_; }
    [[nodiscard]] const std::string& ciphers() const noexcept { return ciphers_; }
    [[nodiscard]] const std::string& groups() const noexcept { return groups_; }

private:
    friend Self;
    tls_common_options() = default;
    Self& self() noexcept { return static_cast<Self&>(*this); }

    tls_version version_min_ = tls_version::tls_1_2;
    tls_version version_max_ = tls_version::tls_1_3;
    std::optional<bool> offloads_handshakes_;
    bool logs_keys_ = false;
    std::vector<std::string> alpn_;
    std::chrono::milliseconds handshake_time_max_ = std::chrono::seconds(10);
    std::string ciphers_ = "ECDHE+AESGCM:ECDHE+CHACHA20:DHE+AESGCM:DHE+CHACHA20:!aNULL:!PSK:!SRP";
    std::string groups_ = "X25519:P-256:P-384";
};

}  // namespace eddy
