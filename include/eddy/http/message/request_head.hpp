#pragma once

#include <eddy/http/message/detail/message_head.hpp>
#include <eddy/http/message/detail/request_layout.hpp>
#include <eddy/http/message/method.hpp>

#include <string_view>

namespace eddy::http {

/// A parsed request head: a message_head, which says how long it is valid, with what the request line holds.
///
/// All that the protocol says of a head has been checked (see request_parser); the values of fields that
/// concern only the program have not, beyond their not holding control characters.
class request_head : public message_head {
public:
    /// Views of a parsed head.
    request_head(const request_layout& layout, const char* bytes) noexcept : message_head(layout, bytes) {}

    /// The method; method::other if the library has no name for it.
    [[nodiscard]] http::method method() const noexcept { return request().method; }
    /// The method as it was sent.
    [[nodiscard]] std::string_view method_name() const noexcept { return view(request().method_name); }

    /// The request target as sent.
    [[nodiscard]] std::string_view target() const noexcept { return view(request().target); }
    /// Which form the target has (RFC 9112, section 3.2).
    [[nodiscard]] target_form form() const noexcept { return request().form; }
    /// The path of an origin- or absolute-form target, percent-encoded; "/" when an absolute one has none.
    /// Empty for the other forms.
    [[nodiscard]] std::string_view path() const noexcept {
        const bool is_implied = request().form == target_form::absolute && request().path.size == 0;
        return is_implied ? std::string_view("/") : view(request().path);
    }
    /// What follows the first "?", without it.
    [[nodiscard]] std::string_view query() const noexcept { return view(request().query); }
    /// `host[:port]` this request is for: the target's own authority where it has one (RFC 9112 section
    /// 3.2.2), else the Host field. Empty only for HTTP/1.0 without Host.
    [[nodiscard]] std::string_view authority() const noexcept { return view(request().authority); }

    /// Whether it waits for 100 Continue before it sends the body (RFC 9110 section 10.1.1).
    [[nodiscard]] bool expects_continue() const noexcept { return request().expects_continue; }

private:
    [[nodiscard]] const request_layout& request() const noexcept {
        return static_cast<const request_layout&>(layout());
    }
};

}  // namespace eddy::http
