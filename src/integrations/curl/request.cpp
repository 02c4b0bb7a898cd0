#include <eddy/integrations/curl/error.hpp>
#include <eddy/integrations/curl/request.hpp>

#include <algorithm>
#include <system_error>

namespace eddy::curl {

namespace {

[[noreturn]] void refuse(const char* why) {
    throw std::system_error(make_error_code(transfer_error::bad_argument), why);
}

bool is_control(char letter) noexcept {
    return (letter >= 0 && letter < ' ' && letter != '\t') || letter == 0x7f;
}

// RFC 9110 section 5.6.2.
bool is_token(std::string_view text) noexcept {
    constexpr std::string_view separators = " \t\"(),/:;<=>?@[\\]{}";
    return !text.empty() && std::ranges::none_of(text, [&](char letter) {
        return letter < 0 || is_control(letter) || separators.find(letter) != std::string_view::npos;
    });
}

bool has_control(std::string_view text) noexcept {
    return std::ranges::any_of(text, is_control);
}

}  // namespace

request& request::method(std::string name) {
    // Other protocols have commands with words behind them.
    if (name.empty() || has_control(name))
        refuse("a method is a token");
    method_ = std::move(name);
    return *this;
}

request& request::field(std::string_view name, std::string_view value) {
    if (!is_token(name) || has_control(value))
        refuse("a field has a token for its name and no control characters");
    fields_.emplace_back(name, value);
    return *this;
}

request& request::without_field(std::string_view name) {
    if (!is_token(name))
        refuse("a field's name is a token");
    left_out_.emplace_back(name);
    return *this;
}

request& request::body(upload content, std::string_view type) {
    body_ = std::move(content);
    form_.reset();
    // libcurl would say that it is a form.
    return type.empty() ? without_field("Content-Type") : field("Content-Type", type);
}

request& request::form(curl::form entered) {
    form_ = std::move(entered);
    body_.reset();
    return *this;
}

request& request::login(std::string user, std::string password, login_scheme scheme) {
    user_ = std::move(user);
    password_ = std::move(password);
    scheme_ = scheme;
    has_login_ = true;
    return *this;
}

request& request::bearer(std::string token) {
    if (has_control(token))
        refuse("a token has no control characters");
    bearer_ = std::move(token);
    return *this;
}

}  // namespace eddy::curl
