#pragma once

#include <eddy/http/message/detail/head_layout.hpp>
#include <eddy/http/message/status.hpp>

namespace eddy::http {

/// Where everything in a response head stands: what response_parser fills in and response_head reads.
struct response_layout : head_layout {
    response_layout() noexcept {}

    text_range reason{};
    http::status status = http::status::ok;
};

}  // namespace eddy::http
