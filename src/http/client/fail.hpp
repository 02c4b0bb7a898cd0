#pragma once

#include <eddy/http/message/http_error.hpp>

#include <string>
#include <string_view>
#include <system_error>

namespace eddy::http {

/// Throws what the user of a client gets.
[[noreturn]] inline void fail(http_error error, std::string_view what = {}) {
    throw std::system_error(make_error_code(error), std::string(what));
}

}  // namespace eddy::http
