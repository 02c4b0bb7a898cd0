#pragma once

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eddy::test {

/// What a certificate is to say. Setters chain.
class certificate_wish {
public:
    /// A server's for a DNS name, which may begin with "*.".
    explicit certificate_wish(std::string name) : names_{std::move(name)} {}

    certificate_wish& name(std::string another) {
        names_.push_back(std::move(another));
        return *this;
    }
    /// An address, such as "127.0.0.1".
    certificate_wish& address(std::string address) {
        addresses_.push_back(std::move(address));
        return *this;
    }
    /// From when until when it is valid, counted from now.
    certificate_wish& valid(std::chrono::seconds from, std::chrono::seconds until) {
        from_ = from;
        until_ = until;
        return *this;
    }
    /// An RSA key of 2048 bits in place of one on P-256.
    certificate_wish& rsa() {
        is_rsa_ = true;
        return *this;
    }

    /// Its name stands in the subject only (CN), not among the alternative names.
    certificate_wish& only_in_subject() {
        is_only_in_subject_ = true;
        return *this;
    }

    [[nodiscard]] bool is_only_in_subject() const { return is_only_in_subject_; }
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
    [[nodiscard]] const std::vector<std::string>& addresses() const { return addresses_; }
    [[nodiscard]] std::chrono::seconds from() const { return from_; }
    [[nodiscard]] std::chrono::seconds until() const { return until_; }
    [[nodiscard]] bool is_rsa() const { return is_rsa_; }

private:
    std::vector<std::string> names_;
    std::vector<std::string> addresses_;
    std::chrono::seconds from_ = std::chrono::hours(-1);
    std::chrono::seconds until_ = std::chrono::hours(24);
    bool is_rsa_ = false;
    bool is_only_in_subject_ = false;
};

/// A certificate and its private key.
class key_and_certificate {
public:
    key_and_certificate(std::shared_ptr<EVP_PKEY> key, std::shared_ptr<X509> certificate)
        : key_(std::move(key)), certificate_(std::move(certificate)) {}

    [[nodiscard]] std::string certificate_pem() const {
        return written([&](BIO* to) { return PEM_write_bio_X509(to, certificate_.get()); });
    }
    [[nodiscard]] std::string key_pem() const {
        return written([&](BIO* to) {
            return PEM_write_bio_PrivateKey(to, key_.get(), nullptr, nullptr, 0, nullptr, nullptr);
        });
    }
    /// The key, encrypted.
    [[nodiscard]] std::string key_pem(std::string_view password) const {
        return written([&](BIO* to) {
            const auto* const bytes = reinterpret_cast<const unsigned char*>(password.data());
            return PEM_write_bio_PrivateKey(to, key_.get(), EVP_aes_128_cbc(), bytes,
                                            static_cast<int>(password.size()), nullptr, nullptr);
        });
    }
    [[nodiscard]] EVP_PKEY* key() const { return key_.get(); }
    [[nodiscard]] X509* certificate() const { return certificate_.get(); }

private:
    template <class Write>
    static std::string written(Write write) {
        const std::unique_ptr<BIO, int (*)(BIO*)> memory(BIO_new(BIO_s_mem()), &BIO_free);
        if (write(memory.get()) != 1)
            throw std::runtime_error("a key or certificate cannot be written");
        char* text = nullptr;
        const long size = BIO_get_mem_data(memory.get(), &text);
        return {text, static_cast<std::size_t>(size)};
    }

    std::shared_ptr<EVP_PKEY> key_;
    std::shared_ptr<X509> certificate_;
};

/// Who signs certificates, itself included; made anew by each test.
class certificate_authority {
public:
    explicit certificate_authority(std::string_view name = "test authority")
        : own_(make(certificate_wish(std::string(name)), nullptr, true)) {}

    [[nodiscard]] key_and_certificate issue(const certificate_wish& wish) const {
        return make(wish, &own_, false);
    }
    /// A certificate that is signed by its own key.
    [[nodiscard]] static key_and_certificate self_signed(const certificate_wish& wish) {
        return make(wish, nullptr, false);
    }
    /// An authority whose own certificate this one has signed.
    [[nodiscard]] certificate_authority issue_authority(std::string_view name) const {
        return certificate_authority(make(certificate_wish(std::string(name)), &own_, true));
    }
    /// What who trusts it has to know.
    [[nodiscard]] std::string pem() const { return own_.certificate_pem(); }
    [[nodiscard]] const key_and_certificate& own() const { return own_; }

private:
    explicit certificate_authority(key_and_certificate own) : own_(std::move(own)) {}

    static std::shared_ptr<EVP_PKEY> new_key(bool is_rsa) {
        return {is_rsa ? EVP_RSA_gen(2048) : EVP_EC_gen("P-256"), &EVP_PKEY_free};
    }
    static void extend(X509* made, X509* issuer, int kind, const std::string& value) {
        X509V3_CTX context;
        X509V3_set_ctx_nodb(&context);
        X509V3_set_ctx(&context, issuer, made, nullptr, nullptr, 0);
        X509_EXTENSION* const extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
        if (extension == nullptr)
            throw std::runtime_error("not an extension of a certificate: " + value);
        X509_add_ext(made, extension, -1);
        X509_EXTENSION_free(extension);
    }
    static void set_common_name(X509_NAME* name, const std::string& value) {
        X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                                   reinterpret_cast<const unsigned char*>(value.data()),
                                   static_cast<int>(value.size()), -1, 0);
    }
    static std::string alternative_names(const certificate_wish& wish) {
        std::string all;
        for (const std::string& name : wish.names())
            all += (all.empty() ? "DNS:" : ",DNS:") + name;
        for (const std::string& address : wish.addresses())
            all += ",IP:" + address;
        return all;
    }
    static key_and_certificate make(const certificate_wish& wish, const key_and_certificate* issuer,
                                    bool is_authority) {
        static long serial = 1;
        const auto key = new_key(wish.is_rsa());
        const std::shared_ptr<X509> made(X509_new(), &X509_free);
        X509_set_version(made.get(), X509_VERSION_3);
        ASN1_INTEGER_set(X509_get_serialNumber(made.get()), ++serial);
        X509_gmtime_adj(X509_getm_notBefore(made.get()), wish.from().count());
        X509_gmtime_adj(X509_getm_notAfter(made.get()), wish.until().count());
        X509_set_pubkey(made.get(), key.get());
        set_common_name(X509_get_subject_name(made.get()), wish.names().front());
        X509* const signer = issuer != nullptr ? issuer->certificate() : made.get();
        X509_set_issuer_name(made.get(), X509_get_subject_name(signer));
        if (is_authority) {
            extend(made.get(), signer, NID_basic_constraints, "critical,CA:TRUE");
            extend(made.get(), signer, NID_key_usage, "critical,keyCertSign,cRLSign,digitalSignature");
            extend(made.get(), signer, NID_subject_key_identifier, "hash");
        } else {
            extend(made.get(), signer, NID_basic_constraints, "critical,CA:FALSE");
            if (!wish.is_only_in_subject())
                extend(made.get(), signer, NID_subject_alt_name, alternative_names(wish));
        }
        EVP_PKEY* const signing = issuer != nullptr ? issuer->key() : key.get();
        if (X509_sign(made.get(), signing, EVP_sha256()) == 0)
            throw std::runtime_error("a certificate cannot be signed");
        return {key, made};
    }

    key_and_certificate own_;
};

}  // namespace eddy::test
