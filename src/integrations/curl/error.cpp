#include <eddy/integrations/curl/error.hpp>

#include <curl/curl.h>
#include <string>

namespace eddy::curl {
namespace {

class transfer_category final : public std::error_category {
public:
    const char* name() const noexcept override { return "curl"; }
    std::string message(int value) const override { return curl_easy_strerror(static_cast<CURLcode>(value)); }
    std::error_condition default_error_condition(int value) const noexcept override {
        switch (static_cast<CURLcode>(value)) {
            case CURLE_OPERATION_TIMEDOUT:
                return std::errc::timed_out;
            case CURLE_OUT_OF_MEMORY:
                return std::errc::not_enough_memory;
            case CURLE_BAD_FUNCTION_ARGUMENT:
                return std::errc::invalid_argument;
            default:
                return {value, *this};
        }
    }
};

class multi_handle_category final : public std::error_category {
public:
    const char* name() const noexcept override { return "curl multi"; }
    std::string message(int value) const override {
        return curl_multi_strerror(static_cast<CURLMcode>(value));
    }
};

constexpr bool is_number(transfer_error error, CURLcode code) {
    return static_cast<int>(error) == static_cast<int>(code);
}
static_assert(is_number(transfer_error::unsupported_protocol, CURLE_UNSUPPORTED_PROTOCOL));
static_assert(is_number(transfer_error::malformed_url, CURLE_URL_MALFORMAT));
static_assert(is_number(transfer_error::proxy_not_resolved, CURLE_COULDNT_RESOLVE_PROXY));
static_assert(is_number(transfer_error::host_not_resolved, CURLE_COULDNT_RESOLVE_HOST));
static_assert(is_number(transfer_error::cannot_connect, CURLE_COULDNT_CONNECT));
static_assert(is_number(transfer_error::partial_file, CURLE_PARTIAL_FILE));
static_assert(is_number(transfer_error::refused_status, CURLE_HTTP_RETURNED_ERROR));
static_assert(is_number(transfer_error::upload_failed, CURLE_UPLOAD_FAILED));
static_assert(is_number(transfer_error::out_of_memory, CURLE_OUT_OF_MEMORY));
static_assert(is_number(transfer_error::timed_out, CURLE_OPERATION_TIMEDOUT));
static_assert(is_number(transfer_error::tls_handshake_failed, CURLE_SSL_CONNECT_ERROR));
static_assert(is_number(transfer_error::cannot_read_file, CURLE_FILE_COULDNT_READ_FILE));
static_assert(is_number(transfer_error::bad_argument, CURLE_BAD_FUNCTION_ARGUMENT));
static_assert(is_number(transfer_error::too_many_redirects, CURLE_TOO_MANY_REDIRECTS));
static_assert(is_number(transfer_error::nothing_received, CURLE_GOT_NOTHING));
static_assert(is_number(transfer_error::send_failed, CURLE_SEND_ERROR));
static_assert(is_number(transfer_error::receive_failed, CURLE_RECV_ERROR));
static_assert(is_number(transfer_error::client_certificate_wrong, CURLE_SSL_CERTPROBLEM));
static_assert(is_number(transfer_error::peer_not_verified, CURLE_PEER_FAILED_VERIFICATION));
static_assert(is_number(transfer_error::bad_encoding, CURLE_BAD_CONTENT_ENCODING));
static_assert(is_number(transfer_error::too_large, CURLE_FILESIZE_EXCEEDED));
static_assert(is_number(transfer_error::cannot_rewind, CURLE_SEND_FAIL_REWIND));
static_assert(is_number(transfer_error::login_denied, CURLE_LOGIN_DENIED));
static_assert(is_number(transfer_error::ca_file_wrong, CURLE_SSL_CACERT_BADFILE));
static_assert(is_number(transfer_error::remote_file_not_found, CURLE_REMOTE_FILE_NOT_FOUND));
static_assert(is_number(transfer_error::http2_stream_failed, CURLE_HTTP2_STREAM));
static_assert(is_number(transfer_error::proxy_refused, CURLE_PROXY));

}  // namespace

const std::error_category& error_category() noexcept {
    static const transfer_category category;
    return category;
}

const std::error_category& multi_category() noexcept {
    static const multi_handle_category category;
    return category;
}

}  // namespace eddy::curl
