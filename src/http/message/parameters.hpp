#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace eddy::http {

// A parameter of a field's value, `; name=value` (RFC 9110 section 5.6.6): the value without its quotes and
// with its escapes undone.
struct field_parameter {
    std::string_view name;
    std::string value;
};

// Takes the next parameter off what stands behind a value's first semicolon. Nothing at the end, and for
// what is malformed, in which case `rest` is left as it is, and not empty.
[[nodiscard]] std::optional<field_parameter> take_parameter(std::string_view& rest);

}  // namespace eddy::http
