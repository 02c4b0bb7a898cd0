#pragma once

#include "http/message/scan.hpp"

#include <eddy/http/message/method.hpp>

#include <string_view>

namespace eddy::http {

// Whether a field line may be written: the name is a token, and the value holds no control character that
// could end the line.
[[nodiscard]] inline bool is_field(std::string_view name, std::string_view value) noexcept {
    return is_token(name) && find_control(value.data(), 0, value.size()) == value.size();
}

}  // namespace eddy::http
