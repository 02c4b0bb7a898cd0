#pragma once

#include <eddy/http/message/detail/request_layout.hpp>
#include <eddy/http/message/method.hpp>

#include <string_view>

namespace eddy::http {

// The parts of a request target, as views into it.
struct request_target {
    target_form form = target_form::origin;
    std::string_view authority;
    std::string_view path;
    std::string_view query;
};

// Determines which form this target has, and its parts (RFC 9112 section 3.2). False when it has none of the forms
// that the method allows. Only http and https are schemes of absolute forms.
// Requires: `text` is not empty and holds visible ASCII only.
[[nodiscard]] bool split_request_target(method which, std::string_view text, request_target& parts) noexcept;

}  // namespace eddy::http
