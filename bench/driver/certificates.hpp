#pragma once

#include <filesystem>

namespace bench {

// Where a certificate and its key lie, both in PEM.
struct certificate {
    std::filesystem::path chain;
    std::filesystem::path key;
};

// The certificates below a temporary directory, once make_certificates() has made them.
certificate ecdsa_certificate(const std::filesystem::path& temporary);  // P-256
certificate rsa_certificate(const std::filesystem::path& temporary);    // 2048 bits

// Makes both with the openssl command, signed by themselves and valid for a month. Throws failure.
void make_certificates(const std::filesystem::path& temporary);

}  // namespace bench
