#include <eddy/http/message/cookies.hpp>
#include <eddy/http/message/method.hpp>

#include <algorithm>
#include <stdexcept>

namespace eddy::http {

namespace {

bool is_visible(char byte) noexcept {
    return byte > 0x20 && byte < 0x7f;
}

// cookie-octet of RFC 6265 section 4.1.1.
bool is_value(std::string_view text) noexcept {
    return std::ranges::all_of(text, [](char byte) {
        return is_visible(byte) && byte != '"' && byte != ',' && byte != ';' && byte != '\\';
    });
}

bool is_attribute(std::string_view text) noexcept {
    return std::ranges::all_of(text,
                               [](char byte) { return (is_visible(byte) || byte == ' ') && byte != ';'; });
}

void require_cookie(bool holds, const char* what) {
    if (!holds)
        throw std::invalid_argument(what);
}

std::string_view spelling_of(same_site value) noexcept {
    switch (value) {
        case same_site::strict:
            return "Strict";
        case same_site::lax:
            return "Lax";
        case same_site::none:
            break;
    }
    return "None";
}

}  // namespace

set_cookie::set_cookie(std::string_view name, std::string_view value) : name_(name), value_(value) {
    require_cookie(is_token(name), "the name of a cookie is a token");
    require_cookie(is_value(value), "the value of a cookie has characters that are not allowed");
}

set_cookie set_cookie::removal(std::string_view name) {
    return set_cookie(name, "").max_age(std::chrono::seconds(0));
}

set_cookie& set_cookie::path(std::string_view value) {
    require_cookie(value.starts_with('/') && is_attribute(value), "the path of a cookie is not allowed");
    path_ = value;
    return *this;
}

set_cookie& set_cookie::domain(std::string_view value) {
    require_cookie(!value.empty() && is_attribute(value), "the domain of a cookie is not allowed");
    domain_ = value;
    return *this;
}

std::string set_cookie::text() const {
    require_cookie(secure_ || same_site_ != http::same_site::none, "a cookie with SameSite=None is Secure");
    require_cookie(secure_ || !name_.starts_with("__Secure-"), "a __Secure- cookie is Secure");
    require_cookie(!name_.starts_with("__Host-") || (secure_ && domain_.empty() && path_ == "/"),
                   "a __Host- cookie is Secure, has Path=/ and no domain");
    std::string text = name_ + "=" + value_ + "; Path=" + path_;
    if (!domain_.empty())
        text.append("; Domain=").append(domain_);
    if (max_age_)
        text.append("; Max-Age=").append(std::to_string(max_age_->count()));
    if (secure_)
        text += "; Secure";
    if (http_only_)
        text += "; HttpOnly";
    return text.append("; SameSite=").append(spelling_of(same_site_));
}

}  // namespace eddy::http
