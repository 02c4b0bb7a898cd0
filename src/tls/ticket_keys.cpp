#include "ticket_keys.hpp"

#include <eddy/runtime/detail/current_system.hpp>

#include <openssl/core_names.h>
#include <openssl/evp.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

namespace eddy::detail {

namespace {

bool set_mac_key(EVP_MAC_CTX* mac, std::array<unsigned char, 32> key) noexcept {
    char digest[] = "SHA256";
    const OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, key.data(), key.size()),
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0), OSSL_PARAM_construct_end()};
    return EVP_MAC_CTX_set_params(mac, parameters) == 1;
}

}  // namespace

ticket_keys::~ticket_keys() {
    for (key& each : keys_)
        OPENSSL_cleanse(&each, sizeof each);
}

int ticket_keys::set_up(unsigned char* name, unsigned char* vector, EVP_CIPHER_CTX* cipher, EVP_MAC_CTX* mac,
                        bool encrypts) noexcept {
    return set_up(name, vector, cipher, mac, encrypts, current_system().clocks->now());
}

int ticket_keys::set_up(unsigned char* name, unsigned char* vector, EVP_CIPHER_CTX* cipher, EVP_MAC_CTX* mac,
                        bool encrypts, clock::time_point now) noexcept {
    try {
        const std::scoped_lock lock(lock_);
        if (!renew(now))
            return failed;
        if (encrypts) {
            const key& newest = keys_.front();
            std::memcpy(name, newest.name.data(), newest.name.size());
            const auto vector_bytes = static_cast<std::size_t>(EVP_CIPHER_get_iv_length(EVP_aes_256_cbc()));
            current_system().randomness->fill(std::as_writable_bytes(std::span(vector, vector_bytes)));
            const bool is_set =
                EVP_EncryptInit_ex(cipher, EVP_aes_256_cbc(), nullptr, newest.cipher.data(), vector) == 1 &&
                set_mac_key(mac, newest.mac);
            return is_set ? good : failed;
        }
        const key* const known = find(name);
        if (known == nullptr)
            return unknown;
        const bool is_set =
            set_mac_key(mac, known->mac) &&
            EVP_DecryptInit_ex(cipher, EVP_aes_256_cbc(), nullptr, known->cipher.data(), vector) == 1;
        if (!is_set)
            return failed;
        return known == &keys_.front() ? good : good_but_old;
    } catch (...) {
        return failed;
    }
}

bool ticket_keys::renew(clock::time_point now) {
    while (!keys_.empty() && now - keys_.back().born >= 2 * period_) {
        OPENSSL_cleanse(&keys_.back(), sizeof(key));
        keys_.pop_back();
    }
    if (!keys_.empty() && now - keys_.front().born < period_)
        return true;
    key made{};
    io::randomness& source = *current_system().randomness;
    source.fill(std::as_writable_bytes(std::span(made.name)));
    source.fill(std::as_writable_bytes(std::span(made.cipher)));
    source.fill(std::as_writable_bytes(std::span(made.mac)));
    made.born = now;
    keys_.push_front(made);
    OPENSSL_cleanse(&made, sizeof made);
    return true;
}

const ticket_keys::key* ticket_keys::find(const unsigned char* name) const noexcept {
    const auto at = std::ranges::find_if(keys_, [name](const key& each) {
        return std::memcmp(each.name.data(), name, each.name.size()) == 0;
    });
    return at != keys_.end() ? &*at : nullptr;
}

}  // namespace eddy::detail
