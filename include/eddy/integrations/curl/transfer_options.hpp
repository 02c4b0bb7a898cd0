#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/integrations/curl/proxy_options.hpp>
#include <eddy/integrations/curl/tls_options.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace eddy::curl {

/// A version of HTTP.
enum class http_version : std::uint8_t {
    automatic,                ///< HTTP/2 where TLS negotiates it, else 1.1
    http1,                    ///< 1.1
    http2_without_agreement,  ///< HTTP/2 from the first byte, also without TLS: the server is known to speak
                              ///< it
};

/// How a transfer behaves, with defaults that are safe. A value; setters chain.
class transfer_options {
public:
    transfer_options() = default;

    /// Making a connection: name, connecting, proxy, TLS. 15 s by default.
    transfer_options& connect_time(duration limit) noexcept {
        connect_time_ = limit;
        return *this;
    }
    /// All of it, waiting for a connection, redirects and the body included. None by default: bodies may be
    /// long.
    transfer_options& total_time(duration limit) noexcept {
        total_time_ = limit;
        return *this;
    }
    /// Ends a transfer that has been slower than that for so long; whole seconds. Time in which the body is
    /// not read does not count. 1 byte a second for 60 s by default; 0 bytes: never.
    transfer_options& lowest_speed(std::uint32_t bytes_per_second, std::chrono::seconds time) noexcept {
        lowest_speed_ = bytes_per_second;
        lowest_speed_time_ = time;
        return *this;
    }
    /// How many redirects are followed, 10 by default; one more fails. 0: none, the redirect itself is
    /// returned. They lead to http and https only.
    transfer_options& redirects_max(unsigned count) noexcept {
        redirects_max_ = count;
        return *this;
    }
    /// Bytes of the body that are buffered for the reader, 64 KiB by default; beyond that the server has to
    /// wait. Up to 16 KiB more may have been taken already. libcurl cannot make a "file:" wait: one that is
    /// larger fails with transfer_error::too_large.
    transfer_options& buffer_bytes_max(std::size_t count) noexcept {
        buffer_bytes_max_ = count;
        return *this;
    }
    /// Bytes of the response's head, redirects and trailers included: 256 KiB by default.
    transfer_options& head_bytes_max(std::size_t count) noexcept {
        head_bytes_max_ = count;
        return *this;
    }
    /// Requests encoded bodies and decodes them, in all codings that libcurl supports. On by default.
    transfer_options& decompress(bool is_on) noexcept {
        decompresses_ = is_on;
        return *this;
    }
    /// Which version of HTTP is spoken.
    transfer_options& version(http_version wanted) noexcept {
        version_ = wanted;
        return *this;
    }
    /// Fails with transfer_error::refused_status where the response's status is 400 or more. Off by default.
    transfer_options& fail_on_status(bool is_on) noexcept {
        fails_on_status_ = is_on;
        return *this;
    }
    /// User-Agent, unless a request has its own. Empty: none.
    transfer_options& user_agent(std::string text) {
        user_agent_ = std::move(text);
        return *this;
    }
    /// How TLS is spoken.
    transfer_options& tls(tls_options options) {
        tls_ = std::move(options);
        return *this;
    }
    /// Through which proxy the transfer goes.
    transfer_options& proxy(proxy_options options) {
        proxy_ = std::move(options);
        return *this;
    }

    [[nodiscard]] duration connect_time() const noexcept { return connect_time_; }
    [[nodiscard]] duration total_time() const noexcept { return total_time_; }
    [[nodiscard]] std::uint32_t lowest_speed() const noexcept { return lowest_speed_; }
    /// How long it may be slower than lowest_speed().
    [[nodiscard]] std::chrono::seconds lowest_speed_time() const noexcept { return lowest_speed_time_; }
    [[nodiscard]] unsigned redirects_max() const noexcept { return redirects_max_; }
    [[nodiscard]] std::size_t buffer_bytes_max() const noexcept { return buffer_bytes_max_; }
    [[nodiscard]] std::size_t head_bytes_max() const noexcept { return head_bytes_max_; }
    [[nodiscard]] bool decompress() const noexcept { return decompresses_; }
    [[nodiscard]] http_version version() const noexcept { return version_; }
    [[nodiscard]] bool fail_on_status() const noexcept { return fails_on_status_; }
    [[nodiscard]] const std::string& user_agent() const noexcept { return user_agent_; }
    [[nodiscard]] const tls_options& tls() const noexcept { return tls_; }
    [[nodiscard]] const proxy_options& proxy() const noexcept { return proxy_; }

private:
    duration connect_time_ = std::chrono::seconds(15);
    duration total_time_ = duration::max();
    std::chrono::seconds lowest_speed_time_{60};
    std::uint32_t lowest_speed_ = 1;
    unsigned redirects_max_ = 10;
    std::size_t buffer_bytes_max_ = std::size_t{64} << 10;
    std::size_t head_bytes_max_ = std::size_t{256} << 10;
    http_version version_ = http_version::automatic;
    bool decompresses_ = true;
    bool fails_on_status_ = false;
    std::string user_agent_ = "eddy";
    tls_options tls_;
    proxy_options proxy_;
};

}  // namespace eddy::curl
