#pragma once

#include <eddy/detail/build.hpp>

#include <cstdint>
#include <string_view>

namespace eddy::http {

/// The methods of RFC 9110 section 9.3 and PATCH (RFC 5789). Any other valid token is `other`;
/// its spelling is with the request. Method names are case-sensitive: "get" is `other`. Named as in the RFC, in lower
/// case; DELETE is `delete_`.
enum class method : std::uint8_t { other, get, head, post, put, delete_, connect, options, trace, patch };

/// The method of this name; `other` for an unknown one, and for a name that is no token.
[[nodiscard]] method method_from(std::string_view name) noexcept;

/// The spelling; empty for `other`.
[[nodiscard]] std::string_view to_string(method which) noexcept;

/// RFC 9110 section 9.2.1: the client asks for no change of state.
[[nodiscard]] constexpr bool is_safe(method which) noexcept {
    return which == method::get || which == method::head || which == method::options ||
           which == method::trace;
}

/// RFC 9110 section 9.2.2: doing it twice has the effect of doing it once.
[[nodiscard]] constexpr bool is_idempotent(method which) noexcept {
    return is_safe(which) || which == method::put || which == method::delete_;
}

/// Whether `text` is a token of RFC 9110 section 5.6.2: the syntax of methods, field names and options.
[[nodiscard]] bool is_token(std::string_view text) noexcept;

}  // namespace eddy::http
