#include "http/message/escapes.hpp"

#include <eddy/http/message/detail/form_encoding.hpp>

#include <algorithm>

namespace eddy::http {

bool append_form_decoded(std::string& out, std::string_view text) {
    while (!text.empty()) {
        const std::size_t plain = std::min(text.find_first_of("%+"), text.size());
        out.append(text.substr(0, plain));
        text.remove_prefix(plain);
        if (text.empty())
            break;
        if (text.front() == '+') {
            out += ' ';
            text.remove_prefix(1);
            continue;
        }
        if (!begins_with_escape(text))
            return false;
        out += escaped_byte(text);
        text.remove_prefix(escape_size);
    }
    return true;
}

void append_form_encoded(std::string& out, std::string_view text) {
    for (const char byte : text) {
        if (byte == ' ')
            out += '+';
        else if (is_unreserved(byte))
            out += byte;
        else
            append_escape(out, byte);
    }
}

}  // namespace eddy::http
