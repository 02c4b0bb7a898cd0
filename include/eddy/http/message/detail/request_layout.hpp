#pragma once

#include <eddy/http/message/detail/head_layout.hpp>
#include <eddy/http/message/method.hpp>

#include <cstdint>

namespace eddy::http {

/// The four forms of a request target (RFC 9112 section 3.2).
enum class target_form : std::uint8_t { origin, absolute, authority, asterisk };

/// Where everything in a request head stands: what request_parser fills in and request_head reads.
struct request_layout : head_layout {
    request_layout() noexcept {}

    text_range method_name{};
    text_range target{};
    text_range authority{};
    text_range path{};
    text_range query{};
    http::method method = http::method::other;
    target_form form = target_form::origin;
    bool expects_continue = false;
};

}  // namespace eddy::http
