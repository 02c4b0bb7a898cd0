#include <eddy/tls/tls_error.hpp>

#include <string>

namespace eddy {

namespace {

class category final : public std::error_category {
public:
    [[nodiscard]] const char* name() const noexcept override { return "tls"; }
    [[nodiscard]] std::string message(int value) const override {
        switch (static_cast<tls_error>(value)) {
            case tls_error::handshake_failed:
                return "the TLS handshake failed";
            case tls_error::certificate_refused:
                return "the certificate of the peer is refused";
            case tls_error::certificate_missing:
                return "the peer shows no certificate";
            case tls_error::alert_received:
                return "the peer ended the TLS connection with an alert";
            case tls_error::protocol_violated:
                return "what the peer sends is not TLS";
            case tls_error::truncated:
                return "the stream ended without the end of the TLS connection";
            case tls_error::bad_certificate_file:
                return "no usable certificate or key";
        }
        return "unknown TLS error";
    }
};

}  // namespace

const std::error_category& tls_category() noexcept {
    static const category the_category;
    return the_category;
}

}  // namespace eddy
