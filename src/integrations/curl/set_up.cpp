#include "integrations/curl/set_up.hpp"

#include "integrations/curl/library.hpp"
#include "integrations/curl/set_up_method.hpp"
#include "integrations/curl/transfer_state.hpp"

#include <climits>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

namespace eddy::curl {

namespace {

/// libcurl takes 0 for "no limit" or a limit of its own.
long milliseconds_of(duration limit) noexcept {
    constexpr long most = INT_MAX / 2;
    const auto count =
        std::chrono::ceil<std::chrono::milliseconds>(std::min(limit, duration::max() / 2)).count();
    return static_cast<long>(std::clamp<decltype(count)>(count, 1, most));
}

void set_text(CURL* easy, CURLoption option, const std::string& text) {
    if (!text.empty())
        require(curl_easy_setopt(easy, option, text.c_str()));
}

void set_limits(CURL* easy, const transfer_options& options) {
    require(curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, milliseconds_of(options.connect_time())));
    if (options.total_time() != duration::max())
        require(curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, milliseconds_of(options.total_time())));
    require(curl_easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, static_cast<long>(options.lowest_speed())));
    // libcurl multiplies it, and takes 0 for "never".
    using whole_seconds = std::chrono::seconds;
    const auto speed_time =
        std::clamp(options.lowest_speed_time(), whole_seconds(1), whole_seconds(INT_MAX / 1000));
    require(curl_easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, static_cast<long>(speed_time.count())));
    if (options.redirects_max() != 0) {
        require(curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 1L));
        require(curl_easy_setopt(easy, CURLOPT_MAXREDIRS, std::min<long>(options.redirects_max(), SHRT_MAX)));
        require(curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS_STR, "http,https"));
    }
}

long version_of(http_version version) noexcept {
    switch (version) {
        case http_version::http1:
            return CURL_HTTP_VERSION_1_1;
        case http_version::http2_without_agreement:
            return CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE;
        case http_version::automatic:
            break;
    }
    return CURL_HTTP_VERSION_2TLS;
}

void set_http(CURL* easy, const request& req, const transfer_options& options) {
    require(curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, version_of(options.version())));
    // Rather a stream of a connection that is being made than another connection, where that may come about.
    const bool may_share = options.version() == http_version::http2_without_agreement ||
                           (options.version() == http_version::automatic && req.url().starts_with("https:"));
    require(curl_easy_setopt(easy, CURLOPT_PIPEWAIT, may_share ? 1L : 0L));
    if (options.decompress())
        require(curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, ""));
    require(curl_easy_setopt(easy, CURLOPT_FAILONERROR, options.fail_on_status() ? 1L : 0L));
    require(curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L));
    static_cast<void>(line_text(options.user_agent(), "a user agent"));
    set_text(easy, CURLOPT_USERAGENT, options.user_agent());
}

/// Where libcurl keeps how TLS is spoken with one of the two that it may be spoken with.
struct tls_places {
    CURLoption verify_peer;
    CURLoption verify_host;
    CURLoption version;
    CURLoption ca_path;
    CURLoption ca_file;
    CURLoption ca_blob;
    CURLoption certificate;
    CURLoption key;
    CURLoption key_password;
};

constexpr tls_places with_server{
    CURLOPT_SSL_VERIFYPEER, CURLOPT_SSL_VERIFYHOST, CURLOPT_SSLVERSION, CURLOPT_CAPATH,    CURLOPT_CAINFO,
    CURLOPT_CAINFO_BLOB,    CURLOPT_SSLCERT,        CURLOPT_SSLKEY,     CURLOPT_KEYPASSWD,
};
constexpr tls_places with_proxy{
    CURLOPT_PROXY_SSL_VERIFYPEER, CURLOPT_PROXY_SSL_VERIFYHOST, CURLOPT_PROXY_SSLVERSION,
    CURLOPT_PROXY_CAPATH,         CURLOPT_PROXY_CAINFO,         CURLOPT_PROXY_CAINFO_BLOB,
    CURLOPT_PROXY_SSLCERT,        CURLOPT_PROXY_SSLKEY,         CURLOPT_PROXY_KEYPASSWD,
};

void set_tls(CURL* easy, const tls_places& at, const tls_options& options) {
    require(curl_easy_setopt(easy, at.verify_peer, options.verify() ? 1L : 0L));
    require(curl_easy_setopt(easy, at.verify_host, options.verify() ? 2L : 0L));
    const long lowest =
        options.lowest_version() == tls_version::v1_3 ? CURL_SSLVERSION_TLSv1_3 : CURL_SSLVERSION_TLSv1_2;
    require(curl_easy_setopt(easy, at.version, lowest));
    if (!options.ca_file().empty() || !options.ca_pem().empty())
        require(curl_easy_setopt(easy, at.ca_path, nullptr));  // the system's
    set_text(easy, at.ca_file, options.ca_file());
    if (!options.ca_pem().empty()) {
        curl_blob text{const_cast<char*>(options.ca_pem().data()), options.ca_pem().size(), CURL_BLOB_COPY};
        require(curl_easy_setopt(easy, at.ca_blob, &text));
    }
    set_text(easy, at.certificate, options.certificate_file());
    set_text(easy, at.key, options.key_file());
    set_text(easy, at.key_password, options.key_password());
}

long scheme_of(login_scheme scheme) noexcept {
    switch (scheme) {
        case login_scheme::digest:
            return static_cast<long>(CURLAUTH_DIGEST);
        case login_scheme::negotiate:
            return static_cast<long>(CURLAUTH_NEGOTIATE);
        case login_scheme::any:
            return static_cast<long>(CURLAUTH_ANY);
        case login_scheme::basic:
            break;
    }
    return static_cast<long>(CURLAUTH_BASIC);
}

void set_proxy(CURL* easy, const proxy_options& options) {
    if (!options.is_of_environment()) {
        require(curl_easy_setopt(easy, CURLOPT_PROXY, options.url().c_str()));  // "": none
        if (options.url().empty())
            return;
    }
    if (!options.is_of_environment() || !options.except().empty())
        require(curl_easy_setopt(easy, CURLOPT_NOPROXY, options.except().c_str()));
    set_tls(easy, with_proxy, options.tls());
    if (options.user().empty())
        return;
    require(curl_easy_setopt(easy, CURLOPT_PROXYUSERNAME, line_text(options.user(), "a user's name")));
    require(curl_easy_setopt(easy, CURLOPT_PROXYPASSWORD, line_text(options.password(), "a password")));
    require(curl_easy_setopt(easy, CURLOPT_PROXYAUTH, scheme_of(options.scheme())));
}

void set_login(CURL* easy, const request& req) {
    if (req.has_login()) {
        require(curl_easy_setopt(easy, CURLOPT_HTTPAUTH, scheme_of(req.scheme())));
        require(curl_easy_setopt(easy, CURLOPT_USERNAME, line_text(req.user(), "a user's name")));
        require(curl_easy_setopt(easy, CURLOPT_PASSWORD, line_text(req.password(), "a password")));
    } else if (!req.bearer().empty()) {
        require(curl_easy_setopt(easy, CURLOPT_HTTPAUTH, static_cast<long>(CURLAUTH_BEARER)));
        require(curl_easy_setopt(easy, CURLOPT_XOAUTH2_BEARER, req.bearer().c_str()));
    }
}

std::string line_of(std::string line, const std::string& value) {
    if (value.empty())
        return line += ';';  // without a value libcurl would leave it out
    line += ": ";
    return line += value;
}

void set_fields(transfer_state& transfer, const request& req) {
    string_list lines;
    for (const auto& [name, value] : req.fields())
        append(lines, line_of(name, value).c_str());
    for (const std::string& name : req.fields_left_out())
        append(lines, (name + ":").c_str());
    if (lines == nullptr)
        return;
    require(curl_easy_setopt(transfer.handle(), CURLOPT_HTTPHEADER, lines.get()));
    transfer.keep(std::move(lines));
}

void set_addresses(transfer_state& transfer, const request& req) {
    set_text(transfer.handle(), CURLOPT_UNIX_SOCKET_PATH, req.local_socket());
    if (req.resolved().empty())
        return;
    string_list entries;
    for (const std::string& entry : req.resolved())
        append(entries, entry.c_str());
    require(curl_easy_setopt(transfer.handle(), CURLOPT_RESOLVE, entries.get()));
    transfer.keep(std::move(entries));
}

}  // namespace

void set_up(transfer_state& transfer, const request& req, const transfer_options& options) {
    CURL* const easy = transfer.handle();
    require(curl_easy_setopt(easy, CURLOPT_URL, req.url().c_str()));
    require(curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, req.protocols().c_str()));
    // Signals are the program's. A name that is being resolved does not delay a drop.
    require(curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L));
    require(curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L));
    require(curl_easy_setopt(easy, CURLOPT_SHARE, transfer.share()));
    require(curl_easy_setopt(easy, CURLOPT_COOKIEFILE, transfer.keeps_cookies() ? "" : nullptr));
    set_limits(easy, options);
    set_http(easy, req, options);
    set_tls(easy, with_server, options.tls());
    set_proxy(easy, options.proxy());
    set_login(easy, req);
    set_fields(transfer, req);
    set_addresses(transfer, req);
    set_up_method(transfer, req);
}

}  // namespace eddy::curl
