#pragma once

#include <eddy/detail/build.hpp>

#include <string>
#include <string_view>

namespace eddy::http {

// What forms and queries make of percent-encoding (application/x-www-form-urlencoded, the URL standard of
// WHATWG section 5): a space is written as "+". Any bytes are accepted. Throws std::bad_alloc.

/// Appends the decoded text. False for a "%" without two hexadecimal digits; what was appended until then
/// stays.
[[nodiscard]] bool append_form_decoded(std::string& out, std::string_view text);

/// Appends the text with everything escaped but letters, digits and "-._~".
void append_form_encoded(std::string& out, std::string_view text);

}  // namespace eddy::http
