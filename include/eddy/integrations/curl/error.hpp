#pragma once

#include <eddy/detail/build.hpp>

#include <system_error>

namespace eddy::curl {

/// Why a transfer ended before its time, by libcurl's own numbers (CURLcode, libcurl-errors(3)): those that
/// programs distinguish. Others are plain numbers of the same category, with libcurl's messages. `timed_out`
/// compares equal to std::errc::timed_out.
enum class transfer_error {
    unsupported_protocol = 1,  ///< one that libcurl was built without, or that protocols() does not allow
    /// CURLE_URL_MALFORMAT.
    malformed_url = 3,
    /// CURLE_COULDNT_RESOLVE_PROXY.
    proxy_not_resolved = 5,
    /// CURLE_COULDNT_RESOLVE_HOST.
    host_not_resolved = 6,
    /// CURLE_COULDNT_CONNECT.
    cannot_connect = 7,
    partial_file = 18,    ///< the body ended before its announced end
    refused_status = 22,  ///< 400 or more, with fail_on_status()
    /// CURLE_FILE_COULDNT_READ_FILE.
    cannot_read_file = 37,
    /// CURLE_UPLOAD_FAILED.
    upload_failed = 25,
    /// CURLE_OUT_OF_MEMORY.
    out_of_memory = 27,
    timed_out = 28,  ///< of connecting, of all, or too slow for too long
    /// CURLE_SSL_CONNECT_ERROR.
    tls_handshake_failed = 35,
    /// CURLE_BAD_FUNCTION_ARGUMENT.
    bad_argument = 43,
    /// CURLE_TOO_MANY_REDIRECTS.
    too_many_redirects = 47,
    /// CURLE_GOT_NOTHING.
    nothing_received = 52,
    /// CURLE_SEND_ERROR.
    send_failed = 55,
    /// CURLE_RECV_ERROR.
    receive_failed = 56,
    /// CURLE_SSL_CERTPROBLEM.
    client_certificate_wrong = 58,
    peer_not_verified = 60,  ///< another name, or an authority that is not trusted
    bad_encoding = 61,       ///< the body's Content-Encoding is not what it says
    too_large = 63,          ///< more than was allowed
    cannot_rewind = 65,      ///< the body must be sent again, but it was a stream
    /// CURLE_LOGIN_DENIED.
    login_denied = 67,
    /// CURLE_SSL_CACERT_BADFILE.
    ca_file_wrong = 77,
    /// CURLE_REMOTE_FILE_NOT_FOUND.
    remote_file_not_found = 78,
    /// CURLE_HTTP2_STREAM.
    http2_stream_failed = 92,
    /// The proxy does not connect to the server: the login was wrong, or it may not, or cannot. The message
    /// has its response. (libcurl itself reports this number with SOCKS, but receive_failed with CONNECT.)
    proxy_refused = 97,
};

/// The errors of transfers.
[[nodiscard]] const std::error_category& error_category() noexcept;
/// The errors of what carries many of them: CURLMcode.
[[nodiscard]] const std::error_category& multi_category() noexcept;

/// The error as a std::error_code.
[[nodiscard]] inline std::error_code make_error_code(transfer_error error) noexcept {
    return {static_cast<int>(error), error_category()};
}

}  // namespace eddy::curl

template <>
struct std::is_error_code_enum<eddy::curl::transfer_error> : std::true_type {};
