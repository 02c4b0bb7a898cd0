#pragma once

#include <eddy/http/message/detail/message_head.hpp>
#include <eddy/http/message/detail/response_layout.hpp>
#include <eddy/http/message/status.hpp>

#include <string_view>

namespace eddy::http {

/// A parsed response head: a message_head, which says how long it is valid, with what the status line holds.
/// All that the protocol says of a head has been checked (see response_parser).
class response_head : public message_head {
public:
    /// Views of a parsed head.
    response_head(const response_layout& layout, const char* bytes) noexcept : message_head(layout, bytes) {}

    /// Any three-digit code from 100 on. One above 599 means no more than 5xx (RFC 9110 section 15).
    [[nodiscard]] http::status status() const noexcept { return response().status; }
    /// What follows the code: for people, may be empty, and may hold bytes that are not ASCII.
    [[nodiscard]] std::string_view reason() const noexcept { return view(response().reason); }

private:
    [[nodiscard]] const response_layout& response() const noexcept {
        return static_cast<const response_layout&>(layout());
    }
};

}  // namespace eddy::http
