#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/client/client_connection.hpp>
#include <eddy/http/client/cookie_jar.hpp>
#include <eddy/http/client/detail/client_target.hpp>
#include <eddy/http/codec/detail/content_decoder.hpp>
#include <eddy/http/message/limits.hpp>
#include <eddy/http/message/protocol_choice.hpp>
#include <eddy/http/message/url.hpp>
#include <eddy/stream/any_stream.hpp>
#include <eddy/tls/tls_context.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eddy::http {

/// Which proxy a client goes through for a URL. A value; setters chain. None by default.
///
/// Over a proxy, http requests use the absolute form, and https uses a tunnel (CONNECT), inside which TLS is
/// spoken with the origin itself. User information of a proxy's URL is sent as Proxy-Authorization. The proxy
/// itself is spoken to by http.
class proxy_settings {
public:
    proxy_settings() = default;

    /// Throw std::system_error with http_error::malformed_url, or unsupported_scheme for another than http.
    proxy_settings& for_http(std::string_view proxy);
    /// The same for requests over TLS.
    proxy_settings& for_https(std::string_view proxy);
    /// The same for all requests.
    proxy_settings& for_all(std::string_view proxy) { return for_http(proxy).for_https(proxy); }
    /// Hosts that are reached directly, separated by commas: "example.com" and all below it, also
    /// ".example.com"; an address; "host:port"; "*" for all.
    proxy_settings& except(std::string_view hosts);

    /// What http_proxy, https_proxy, all_proxy and no_proxy say, also in upper case but for HTTP_PROXY, which
    /// a web server may have set from a request's Proxy field. Values that are no URL are passed over.
    [[nodiscard]] static proxy_settings from_environment();

    /// The proxy for this URL, if it is not reached directly. None for other schemes than http, https, ws,
    /// wss.
    [[nodiscard]] const std::optional<url>& proxy_for(const url& to) const noexcept;

private:
    [[nodiscard]] bool is_excepted(const url& to) const noexcept;

    std::optional<url> http_;
    std::optional<url> https_;
    std::vector<std::string> excepted_;
};

/// How a client connects when it does not use the system's sockets: returns a stream to the target, without
/// TLS.
using client_transport = std::function<task<any_stream>(client_target)>;

/// How a client behaves, with defaults that are safe. A value; setters chain.
class client_options {
public:
    client_options() = default;

    /// Connections in use to one origin (scheme, host, port, proxy) at a time. A request beyond that waits,
    /// in order.
    client_options& connections_per_origin_max(std::size_t count) noexcept {
        connections_per_origin_max_ = count;
        return *this;
    }
    /// Connections in all, idle ones included, of which the oldest makes way.
    client_options& connections_max(std::size_t count) noexcept {
        connections_max_ = count;
        return *this;
    }
    /// How long an idle connection is kept. 0: not at all.
    client_options& keep_idle(duration limit) noexcept {
        keep_idle_ = limit;
        return *this;
    }

    /// Waiting for one of the connections to come free.
    client_options& pool_time(duration limit) noexcept {
        pool_time_ = limit;
        return *this;
    }
    /// Making a connection: name, connecting, proxy, TLS.
    client_options& connect_time(duration limit) noexcept {
        connect_time_ = limit;
        return *this;
    }
    /// From the end of the request to the first byte of the response.
    client_options& first_byte_time(duration limit) noexcept {
        first_byte_time_ = limit;
        return *this;
    }
    /// Without a byte from the server within a response, or without one that could be sent.
    client_options& idle_time(duration limit) noexcept {
        idle_time_ = limit;
        return *this;
    }
    /// All of it, redirects, retries and the response's body included. None by default: bodies may be long.
    client_options& total_time(duration limit) noexcept {
        total_time_ = limit;
        return *this;
    }

    /// How many redirects are followed; 0: none, the redirect itself is returned. One more than that fails.
    client_options& redirects_max(unsigned count) noexcept {
        redirects_max_ = count;
        return *this;
    }
    /// Follows redirects from https to http too.
    client_options& allow_downgrade(bool is_on) noexcept {
        allows_downgrade_ = is_on;
        return *this;
    }
    /// How often a request that may be repeated is sent again when there was no connection or it ended before
    /// the response, or after 429 and 503. The first time after `wait`, then after twice that, and so on, or
    /// after the time in Retry-After, if that is no more than `wait_max`; otherwise the response is returned.
    /// 0 by default.
    client_options& retries(unsigned count, duration wait = std::chrono::milliseconds(200),
                            duration wait_max = std::chrono::seconds(30)) noexcept {
        retries_max_ = count;
        retry_wait_ = wait;
        retry_wait_max_ = wait_max;
        return *this;
    }

    /// Asks for encoded bodies and decodes them. On by default.
    client_options& decompress(bool is_on) noexcept {
        decompresses_ = is_on;
        return *this;
    }
    /// What the decoder of compressed bodies accepts.
    client_options& decoding(const content_decoder_options& options) noexcept {
        decoding_ = options;
        return *this;
    }
    /// The limits for responses; response_limits() by default.
    client_options& limits(const message_limits& limits) noexcept {
        limits_ = limits;
        return *this;
    }
    /// Keeps what servers set and sends it back. Off by default.
    client_options& cookies(bool is_on) noexcept {
        keeps_cookies_ = is_on;
        return *this;
    }
    /// How many cookies are kept, and of which size.
    client_options& limit_cookies(const cookie_limits& limits) noexcept {
        cookie_limits_ = limits;
        return *this;
    }
    /// None by default; see proxy_settings::from_environment().
    client_options& proxies(proxy_settings settings) {
        proxies_ = std::move(settings);
        return *this;
    }
    /// The context of a TLS client. By default one that trusts the system's authorities, made when it is
    /// first needed.
    client_options& tls(tls_context context) {
        tls_ = std::move(context);
        return *this;
    }
    /// User-Agent, unless a request has its own. Empty: none.
    client_options& user_agent(std::string text) {
        user_agent_ = std::move(text);
        return *this;
    }
    /// How connections are made; TCP and TLS unless it is set.
    client_options& transport(client_transport connect) {
        transport_ = std::move(connect);
        return *this;
    }
    /// Speaks another protocol with servers that choose it, whose requests share connections; see http2(). None by
    /// default.
    client_options& protocol(std::shared_ptr<const protocol_choice> spoken) noexcept {
        protocol_ = std::move(spoken);
        return *this;
    }

    [[nodiscard]] std::size_t connections_per_origin_max() const noexcept {
        return connections_per_origin_max_;
    }
    [[nodiscard]] std::size_t connections_max() const noexcept { return connections_max_; }
    [[nodiscard]] duration keep_idle() const noexcept { return keep_idle_; }
    [[nodiscard]] duration pool_time() const noexcept { return pool_time_; }
    [[nodiscard]] duration connect_time() const noexcept { return connect_time_; }
    [[nodiscard]] duration first_byte_time() const noexcept { return first_byte_time_; }
    [[nodiscard]] duration idle_time() const noexcept { return idle_time_; }
    [[nodiscard]] duration total_time() const noexcept { return total_time_; }
    [[nodiscard]] unsigned redirects_max() const noexcept { return redirects_max_; }
    [[nodiscard]] bool allow_downgrade() const noexcept { return allows_downgrade_; }
    /// How often a request is sent again at the most.
    [[nodiscard]] unsigned retries_max() const noexcept { return retries_max_; }
    /// The wait in front of the first repetition.
    [[nodiscard]] duration retry_wait() const noexcept { return retry_wait_; }
    /// The longest wait in front of a repetition.
    [[nodiscard]] duration retry_wait_max() const noexcept { return retry_wait_max_; }
    [[nodiscard]] bool decompress() const noexcept { return decompresses_; }
    [[nodiscard]] const content_decoder_options& decoding() const noexcept { return decoding_; }
    [[nodiscard]] const message_limits& limits() const noexcept { return limits_; }
    [[nodiscard]] bool cookies() const noexcept { return keeps_cookies_; }
    [[nodiscard]] const cookie_limits& limit_cookies() const noexcept { return cookie_limits_; }
    [[nodiscard]] const proxy_settings& proxies() const noexcept { return proxies_; }
    [[nodiscard]] const std::optional<tls_context>& tls() const noexcept { return tls_; }
    [[nodiscard]] const std::string& user_agent() const noexcept { return user_agent_; }
    [[nodiscard]] const client_transport& transport() const noexcept { return transport_; }
    [[nodiscard]] const protocol_choice* protocol() const noexcept { return protocol_.get(); }

private:
    std::size_t connections_per_origin_max_ = 8;
    std::size_t connections_max_ = 128;
    duration keep_idle_ = std::chrono::seconds(60);
    duration pool_time_ = std::chrono::seconds(60);
    duration connect_time_ = std::chrono::seconds(15);
    duration first_byte_time_ = std::chrono::seconds(60);
    duration idle_time_ = std::chrono::seconds(60);
    duration total_time_ = duration::max();
    duration retry_wait_{};
    duration retry_wait_max_{};
    unsigned redirects_max_ = 10;
    unsigned retries_max_ = 0;
    bool allows_downgrade_ = false;
    bool decompresses_ = true;
    bool keeps_cookies_ = false;
    content_decoder_options decoding_;
    message_limits limits_ = response_limits();
    cookie_limits cookie_limits_;
    proxy_settings proxies_;
    std::optional<tls_context> tls_;
    std::string user_agent_ = "eddy";
    client_transport transport_;
    std::shared_ptr<const protocol_choice> protocol_;
};

}  // namespace eddy::http
