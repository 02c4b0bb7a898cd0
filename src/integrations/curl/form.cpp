#include <eddy/integrations/curl/form.hpp>

namespace eddy::curl {

namespace {

bool is_plain(char letter) noexcept {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') ||
           std::string_view("-._~").find(letter) != std::string_view::npos;
}

void append_encoded(std::string& out, std::string_view text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    for (const char letter : text) {
        const auto code = static_cast<unsigned char>(letter);
        if (is_plain(letter))
            out += letter;
        else if (letter == ' ')
            out += '+';
        else
            out.append(1, '%').append(1, digits[code >> 4U]).append(1, digits[code & 15U]);
    }
}

}  // namespace

url_encoded_form& url_encoded_form::field(std::string_view name, std::string_view value) {
    if (!text_.empty())
        text_ += '&';
    append_encoded(text_, name);
    text_ += '=';
    append_encoded(text_, value);
    return *this;
}

}  // namespace eddy::curl
