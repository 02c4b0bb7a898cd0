#pragma once

#include <eddy/http/message/status.hpp>

#include <expected>
#include <string_view>

namespace eddy::http {

/// Why a message was refused: the status to answer with, and a short English reason for logs and bodies, a
/// string literal. After the response the connection must be closed, since it is not known where the next
/// message would start.
class message_error {
public:
    message_error() noexcept {}
    message_error(http::status code, std::string_view why) noexcept : status_(code), reason_(why) {}

    [[nodiscard]] http::status status() const noexcept { return status_; }
    [[nodiscard]] std::string_view reason() const noexcept { return reason_; }

    friend bool operator==(const message_error&, const message_error&) = default;

private:
    http::status status_ = http::status::bad_request;
    std::string_view reason_;
};

/// For functions that return std::expected.
[[nodiscard]] inline std::unexpected<message_error> bad_request(std::string_view reason) noexcept {
    return std::unexpected(message_error(status::bad_request, reason));
}

}  // namespace eddy::http
