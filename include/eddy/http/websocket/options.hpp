#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/http/message/request_head.hpp>
#include <eddy/http/websocket/detail/deflate_parameters.hpp>
#include <eddy/tls/tls_context.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eddy::http {

/// Whether a page of this origin may connect: `origin` is the field Origin as the browser has sent it.
using websocket_origin_check = std::function<bool(std::string_view origin, const request_head& request)>;

/// How a websocket behaves, at either end, with defaults that are safe in public. A value; setters chain:
///
///     websocket_options().message_bytes_max(1 << 20).deflate(deflate_options()).subprotocols({"chat"})
///
/// A time of max() means that there is no limit; zero, or less, ends at once what would have to be waited
/// for.
class websocket_options {
public:
    websocket_options() noexcept = default;

    /// Bytes of a received message, inflated. Beyond it the connection is closed with 1009. 16 MiB by
    /// default.
    websocket_options& message_bytes_max(std::uint64_t bytes) noexcept {
        return message_bytes_max_ = bytes, *this;
    }
    /// While more than this waits to be written, senders wait. 64 KiB by default.
    websocket_options& send_buffer_bytes(std::size_t bytes) noexcept {
        return send_buffer_bytes_ = bytes, *this;
    }
    /// Larger messages are sent in several frames, between which responses to pings may come. 0, the default:
    /// each message is one frame.
    websocket_options& frame_bytes_max(std::size_t bytes) noexcept { return frame_bytes_max_ = bytes, *this; }

    /// A peer of which nothing was heard for so long, and up to twice as long, is sent a ping. 30 s by
    /// default; max(), zero or less: never.
    websocket_options& ping_interval(duration interval) noexcept { return ping_interval_ = interval, *this; }
    /// If nothing arrives from it for so long after that, while a task receives, the connection ends
    /// with websocket_error::peer_is_silent. 30 s by default.
    websocket_options& pong_timeout(duration limit) noexcept { return pong_timeout_ = limit, *this; }
    /// A peer that takes none of 256 KiB for so long is silent as well. 60 s by default.
    websocket_options& write_timeout(duration limit) noexcept { return write_timeout_ = limit, *this; }
    /// How long closing may take, from the close frame to the end of the stream. 5 s by default.
    websocket_options& close_timeout(duration limit) noexcept { return close_timeout_ = limit, *this; }

    /// Offers or accepts compression; it is off by default, since it costs memory (see deflate_options).
    websocket_options& deflate(std::optional<deflate_options> wanted) noexcept {
        return deflate_ = wanted, *this;
    }
    /// Whether texts to be sent are checked to be UTF-8. They are by default.
    websocket_options& checks_sent_text(bool checks) noexcept { return checks_sent_text_ = checks, *this; }

    /// Server: what it supports; the first that the client names is chosen. Client: what it offers, best
    /// first. None by default.
    websocket_options& subprotocols(std::vector<std::string> names) {
        return subprotocols_ = std::move(names), *this;
    }
    /// Server: which clients may connect. By default those that send no Origin, as programs do, and pages of
    /// the request's own host and port: browsers let any page connect anywhere, with the user's cookies (RFC
    /// 6455 section 10.2).
    websocket_options& origin_check(websocket_origin_check check) {
        return origin_check_ = std::move(check), *this;
    }
    /// Server: pages of anywhere may connect.
    websocket_options& any_origin() {
        return origin_check([](std::string_view, const request_head&) { return true; });
    }
    /// Client: the Origin that it sends, if any.
    websocket_options& origin(std::string value) { return origin_ = std::move(value), *this; }
    /// Client: another field of its request: Authorization, Cookie.
    websocket_options& field(std::string name, std::string value) {
        return fields_.emplace_back(std::move(name), std::move(value)), *this;
    }
    /// Client: how long connecting and the handshake may take. 30 s by default.
    websocket_options& connect_timeout(duration limit) noexcept { return connect_timeout_ = limit, *this; }

    /// Client: with what TLS connections are made, for wss. By default with what the system trusts, which is
    /// looked up for each connection: keep a context for many.
    websocket_options& tls(std::optional<tls_context> context) { return tls_ = std::move(context), *this; }

    [[nodiscard]] std::uint64_t message_bytes_max() const noexcept { return message_bytes_max_; }
    [[nodiscard]] std::size_t send_buffer_bytes() const noexcept { return send_buffer_bytes_; }
    [[nodiscard]] std::size_t frame_bytes_max() const noexcept { return frame_bytes_max_; }
    [[nodiscard]] duration ping_interval() const noexcept { return ping_interval_; }
    [[nodiscard]] duration pong_timeout() const noexcept { return pong_timeout_; }
    [[nodiscard]] duration write_timeout() const noexcept { return write_timeout_; }
    [[nodiscard]] duration close_timeout() const noexcept { return close_timeout_; }
    [[nodiscard]] const std::optional<deflate_options>& deflate() const noexcept { return deflate_; }
    [[nodiscard]] bool checks_sent_text() const noexcept { return checks_sent_text_; }
    [[nodiscard]] const std::vector<std::string>& subprotocols() const noexcept { return subprotocols_; }
    [[nodiscard]] const websocket_origin_check& origin_check() const noexcept { return origin_check_; }
    [[nodiscard]] const std::string& origin() const noexcept { return origin_; }
    /// Fields that the client sends besides its own.
    [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& fields() const noexcept {
        return fields_;
    }
    [[nodiscard]] duration connect_timeout() const noexcept { return connect_timeout_; }
    [[nodiscard]] const std::optional<tls_context>& tls() const noexcept { return tls_; }

private:
    std::uint64_t message_bytes_max_ = 16 * 1024 * 1024;
    std::size_t send_buffer_bytes_ = 64 * 1024;
    std::size_t frame_bytes_max_ = 0;
    duration ping_interval_ = std::chrono::seconds(30);
    duration pong_timeout_ = std::chrono::seconds(30);
    duration write_timeout_ = std::chrono::seconds(60);
    duration close_timeout_ = std::chrono::seconds(5);
    duration connect_timeout_ = std::chrono::seconds(30);
    std::optional<deflate_options> deflate_;
    std::optional<tls_context> tls_;
    std::vector<std::string> subprotocols_;
    websocket_origin_check origin_check_;
    std::string origin_;
    std::vector<std::pair<std::string, std::string>> fields_;
    bool checks_sent_text_ = true;
};

}  // namespace eddy::http
