#include "driver/certificates.hpp"

#include "driver/errors.hpp"
#include "driver/process.hpp"

#include <chrono>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace bench {
namespace {

namespace fs = std::filesystem;

void make(const certificate& wanted, const std::vector<std::string>& kind_of_key, const fs::path& temporary) {
    std::vector<std::string> command{"/usr/bin/openssl", "req", "-x509", "-nodes", "-newkey"};
    command.insert(command.end(), kind_of_key.begin(), kind_of_key.end());
    for (const std::string& more :
         {std::string("-keyout"), wanted.key.string(), std::string("-out"), wanted.chain.string(),
          std::string("-days"), std::string("30"), std::string("-subj"), std::string("/CN=localhost"),
          std::string("-addext"), std::string("subjectAltName=DNS:localhost,IP:127.0.0.1")})
        command.push_back(more);
    const fs::path output = temporary / "openssl.log";
    process openssl(command, {0}, output);
    openssl.wait_until(std::chrono::steady_clock::now() + std::chrono::seconds(60));
    if (openssl.has_succeeded())
        return;
    std::ifstream said(output);
    throw failure("openssl made no certificate: " + std::string(std::istreambuf_iterator<char>(said), {}));
}

}  // namespace

certificate ecdsa_certificate(const fs::path& temporary) {
    return {temporary / "ecdsa.pem", temporary / "ecdsa.key"};
}

certificate rsa_certificate(const fs::path& temporary) {
    return {temporary / "rsa.pem", temporary / "rsa.key"};
}

void make_certificates(const fs::path& temporary) {
    make(ecdsa_certificate(temporary), {"ec", "-pkeyopt", "ec_paramgen_curve:P-256"}, temporary);
    make(rsa_certificate(temporary), {"rsa:2048"}, temporary);
}

}  // namespace bench
