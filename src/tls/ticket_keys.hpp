#pragma once

#include <openssl/ssl.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <mutex>

namespace eddy::detail {

/// The keys under which a server's session tickets are encrypted (RFC 5077): AES-256-CBC with HMAC-SHA-256.
/// A new one is made once a period; tickets of the one before are accepted, and renewed.
///
/// Thread safety: any number of threads.
class ticket_keys {
public:
    using clock = std::chrono::steady_clock;

    // What set_up() returns.
    static constexpr int failed = -1;
    static constexpr int unknown = 0;
    static constexpr int good = 1;
    static constexpr int good_but_old = 2;  ///< the client is to get a new ticket

    explicit ticket_keys(std::chrono::seconds period) noexcept
        : period_(std::clamp<std::chrono::seconds>(period, std::chrono::seconds(1), std::chrono::years(10))) {
    }
    ticket_keys(const ticket_keys&) = delete;
    ticket_keys& operator=(const ticket_keys&) = delete;
    ~ticket_keys();

    /// The callback for SSL_CTX_set_tlsext_ticket_key_evp_cb.
    int set_up(unsigned char* name, unsigned char* vector, EVP_CIPHER_CTX* cipher, EVP_MAC_CTX* mac,
               bool encrypts) noexcept;
    /// The same at a time.
    int set_up(unsigned char* name, unsigned char* vector, EVP_CIPHER_CTX* cipher, EVP_MAC_CTX* mac,
               bool encrypts, clock::time_point now) noexcept;

private:
    struct key {
        std::array<unsigned char, 16> name;
        std::array<unsigned char, 32> cipher;
        std::array<unsigned char, 32> mac;
        clock::time_point born;
    };

    [[nodiscard]] bool renew(clock::time_point now);
    [[nodiscard]] const key* find(const unsigned char* name) const noexcept;

    std::mutex lock_;
    std::chrono::seconds period_;
    std::deque<key> keys_;  // the newest first, two at the most
};

}  // namespace eddy::detail
