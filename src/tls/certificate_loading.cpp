#include "certificate_loading.hpp"

#include <eddy/tls/tls_error.hpp>

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <system_error>

namespace eddy::detail {

namespace {

constexpr std::size_t file_bytes_max = 16 << 20;

std::string name_of(const tls_material& material, std::string_view what) {
    std::string name(what);
    if (material.is_file())
        name += " in " + material.value();
    return name;
}

bio_handle reader_of(const std::string& content) {
    bio_handle made(BIO_new_mem_buf(content.data(), static_cast<int>(content.size())));
    if (!made)
        throw std::bad_alloc();
    return made;
}

/// Hands OpenSSL the password, or none: it must never prompt on a terminal.
int give_password(char* out, int size, int, void* password) {
    const auto& text = *static_cast<const std::string*>(password);
    if (text.empty() || text.size() > static_cast<std::size_t>(size))
        return -1;
    std::ranges::copy(text, out);
    return static_cast<int>(text.size());
}

certificate_handle next_certificate(BIO* from) {
    std::string no_password;
    certificate_handle made(PEM_read_bio_X509_AUX(from, nullptr, &give_password, &no_password));
    return made;
}

/// Whether the last reading ended because there was nothing more.
bool is_at_end() {
    const unsigned long error = ERR_peek_last_error();
    const bool is_end = ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE;
    if (is_end)
        ERR_clear_error();
    return is_end;
}

certificate_handle use_chain(SSL_CTX* context, const tls_material& chain) {
    const std::string content = content_of(chain, "certificate");
    const bio_handle from = reader_of(content);
    certificate_handle own = next_certificate(from.get());
    if (!own || SSL_CTX_use_certificate(context, own.get()) != 1)
        throw_bad_material(chain, "certificate");
    SSL_CTX_clear_chain_certs(context);
    while (certificate_handle another = next_certificate(from.get())) {
        if (SSL_CTX_add0_chain_cert(context, another.get()) != 1)
            throw_bad_material(chain, "chain of certificates");
        static_cast<void>(another.release());
    }
    if (!is_at_end())
        throw_bad_material(chain, "chain of certificates");
    return own;
}

void use_key(SSL_CTX* context, const tls_certificate& certificate) {
    const std::string content = content_of(certificate.key(), "private key");
    const bio_handle from = reader_of(content);
    std::string password = certificate.password();
    const key_handle key(PEM_read_bio_PrivateKey(from.get(), nullptr, &give_password, &password));
    OPENSSL_cleanse(password.data(), password.size());
    if (!key && content.find("ENCRYPTED") != std::string::npos) {
        ERR_clear_error();
        const std::string_view why =
            certificate.password().empty() ? "needs a password" : "has another password";
        throw std::system_error(tls_error::bad_certificate_file,
                                name_of(certificate.key(), "private key") + " " + std::string(why));
    }
    if (!key)
        throw_bad_material(certificate.key(), "private key");
    if (SSL_CTX_use_PrivateKey(context, key.get()) != 1 || SSL_CTX_check_private_key(context) != 1)
        throw_bad_material(certificate.key(), "private key that belongs to the certificate");
}

void add_lower(std::vector<std::string>& names, std::string_view name) {
    std::string lower(name);
    std::ranges::transform(lower, lower.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    });
    names.push_back(std::move(lower));
}

std::string_view asn1_text(const ASN1_STRING* text) {
    return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
            static_cast<std::size_t>(ASN1_STRING_length(text))};
}

std::string address_of(const ASN1_OCTET_STRING* address) {
    const unsigned char* const bytes = ASN1_STRING_get0_data(address);
    const int size = ASN1_STRING_length(address);
    std::string text;
    char group[8];
    for (int at = 0; at < size; at += size == 4 ? 1 : 2) {
        if (size == 4)
            std::snprintf(group, sizeof group, "%s%u", at == 0 ? "" : ".", unsigned{bytes[at]});
        else
            std::snprintf(group, sizeof group, "%s%x", at == 0 ? "" : ":", bytes[at] * 256U + bytes[at + 1]);
        text += group;
    }
    return text;
}

/// Whether it is the program that lacks something, and nothing is wrong with the file.
bool is_lack(int error) noexcept {
    return error == EMFILE || error == ENFILE || error == ENOMEM;
}

}  // namespace

std::string content_of(const tls_material& material, std::string_view what) {
    if (!material.is_file())
        return material.value();
    errno = 0;
    std::ifstream opened(material.value(), std::ios::binary);
    if (!opened && is_lack(errno))
        throw std::system_error(errno, std::generic_category(), name_of(material, what));
    std::string content;
    char piece[8192];
    while (opened && content.size() <= file_bytes_max) {
        opened.read(piece, sizeof piece);
        content.append(piece, static_cast<std::size_t>(opened.gcount()));
    }
    if (!opened.eof())
        throw std::system_error(tls_error::bad_certificate_file, name_of(material, what) + " cannot be read");
    return content;
}

void throw_bad_material(const tls_material& material, std::string_view what) {
    const unsigned long error = ERR_peek_last_error();
    const char* const reason = error != 0 ? ERR_reason_error_string(error) : nullptr;
    std::string text = "no usable " + name_of(material, what);
    if (reason != nullptr)
        text += std::string(": ") + reason;
    ERR_clear_error();
    throw std::system_error(tls_error::bad_certificate_file, text);
}

std::vector<std::string> use_certificate(SSL_CTX* context, const tls_certificate& certificate) {
    ERR_clear_error();
    const certificate_handle own = use_chain(context, certificate.chain());
    use_key(context, certificate);
    return names_of(own.get(), false);
}

void use_trust(SSL_CTX* context, const tls_trust& trust) {
    ERR_clear_error();
    if (trust.has_system())
        SSL_CTX_set_default_verify_paths(context);
    for (const tls_material& material : trust.materials()) {
        const std::string content = content_of(material, "authority");
        const bio_handle from = reader_of(content);
        std::size_t count = 0;
        for (; const certificate_handle each = next_certificate(from.get()); ++count)
            if (X509_STORE_add_cert(SSL_CTX_get_cert_store(context), each.get()) != 1)
                throw_bad_material(material, "authority");
        if (!is_at_end() || count == 0)
            throw_bad_material(material, "authority");
    }
}

std::vector<std::string> names_of(const X509* certificate, bool with_addresses) {
    std::vector<std::string> names;
    const std::unique_ptr<GENERAL_NAMES, freed_by<&GENERAL_NAMES_free>> all(
        static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)));
    for (int at = 0; at < sk_GENERAL_NAME_num(all.get()); ++at) {
        const GENERAL_NAME* const each = sk_GENERAL_NAME_value(all.get(), at);
        if (each->type == GEN_DNS)
            add_lower(names, asn1_text(each->d.dNSName));
        else if (each->type == GEN_IPADD && with_addresses)
            names.push_back(address_of(each->d.iPAddress));
    }
    return names;
}

}  // namespace eddy::detail
