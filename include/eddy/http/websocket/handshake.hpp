#pragma once

#include <eddy/http/message/field_block.hpp>
#include <eddy/http/message/request_head.hpp>
#include <eddy/http/message/status.hpp>
#include <eddy/http/websocket/detail/deflate_parameters.hpp>
#include <eddy/http/websocket/options.hpp>

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::http {

// The opening handshake of RFC 6455 section 4, without I/O. accept_websocket() and connect_websocket() do all
// of it; use these for a stream of another origin.

/// What both ends have agreed on in the handshake. A value.
class websocket_agreement {
public:
    /// Neither a subprotocol nor compression.
    websocket_agreement() noexcept = default;
    websocket_agreement(std::string subprotocol, std::optional<deflate_parameters> deflate) noexcept
        : subprotocol_(std::move(subprotocol)), deflate_(deflate) {}

    /// Empty: none.
    [[nodiscard]] const std::string& subprotocol() const noexcept { return subprotocol_; }
    /// How messages are compressed (RFC 7692), if they are.
    [[nodiscard]] const std::optional<deflate_parameters>& deflate() const noexcept { return deflate_; }

private:
    std::string subprotocol_;
    std::optional<deflate_parameters> deflate_;
};

/// Why a request is refused.
class websocket_refusal {
public:
    /// Refuses the handshake with this status.
    websocket_refusal(http::status code, std::string_view why) noexcept : status_(code), reason_(why) {}

    /// 426 (which is answered with `Sec-WebSocket-Version: 13` and `Upgrade: websocket`), 400, 403, 405.
    [[nodiscard]] http::status status() const noexcept { return status_; }
    /// A string literal.
    [[nodiscard]] std::string_view reason() const noexcept { return reason_; }

private:
    http::status status_;
    std::string_view reason_;
};

/// The server's part (section 4.2): whether the request may become a websocket, and what is agreed on.
/// Throws std::bad_alloc.
[[nodiscard]] std::expected<websocket_agreement, websocket_refusal> check_websocket_request(
    const request_head& request, const websocket_options& options);

/// The fields with which a request that was found right is answered 101, but for Connection, which
/// exchange::upgrade() adds. Throws std::bad_alloc.
[[nodiscard]] field_block websocket_response(const request_head& request, const websocket_agreement& agreed);

/// What Sec-WebSocket-Accept says to a Sec-WebSocket-Key (section 4.2.2).
[[nodiscard]] std::string websocket_accept_value(std::string_view key);

/// The client's part (section 4.1): a new Sec-WebSocket-Key. Throws std::system_error if the system has no
/// random bytes.
[[nodiscard]] std::string make_websocket_key();
/// The fields of the request beside Host: Upgrade, Connection, the key and what the options ask for. Throws
/// std::invalid_argument for a field that is none.
[[nodiscard]] field_block websocket_request(std::string_view key, const websocket_options& options);

/// What matters of the server's response. Lines of one field are joined by commas.
class websocket_response_head {
public:
    /// A response with this status.
    explicit websocket_response_head(http::status code) noexcept : status_(code) {}

    /// Takes note of a field line if it matters. Throws std::bad_alloc.
    websocket_response_head& line(std::string_view name, std::string_view value);

    /// The status code.
    [[nodiscard]] http::status status() const noexcept { return status_; }
    /// The value of Upgrade.
    [[nodiscard]] const std::string& upgrade() const noexcept { return upgrade_; }
    /// The value of Connection.
    [[nodiscard]] const std::string& connection() const noexcept { return connection_; }
    /// The value of Sec-WebSocket-Accept.
    [[nodiscard]] const std::string& accept() const noexcept { return accept_; }
    /// The value of Sec-WebSocket-Protocol.
    [[nodiscard]] const std::string& subprotocol() const noexcept { return subprotocol_; }
    /// The value of Sec-WebSocket-Extensions.
    [[nodiscard]] const std::string& extensions() const noexcept { return extensions_; }

private:
    std::string upgrade_;
    std::string connection_;
    std::string accept_;
    std::string subprotocol_;
    std::string extensions_;
    http::status status_;
};

/// Whether the response to a request with this key opens the connection, and what it agrees to; else why not,
/// a string literal.
[[nodiscard]] std::expected<websocket_agreement, std::string_view> check_websocket_response(
    const websocket_response_head& response, std::string_view key, const websocket_options& options);

}  // namespace eddy::http
