#include "http/message/characters.hpp"

#include <eddy/http/message/method.hpp>

namespace eddy::http {

method method_from(std::string_view name) noexcept {
    switch (name.size()) {
        case 3:
            return name == "GET" ? method::get : name == "PUT" ? method::put : method::other;
        case 4:
            return name == "HEAD" ? method::head : name == "POST" ? method::post : method::other;
        case 5:
            return name == "PATCH" ? method::patch : name == "TRACE" ? method::trace : method::other;
        case 6:
            return name == "DELETE" ? method::delete_ : method::other;
        case 7:
            return name == "OPTIONS" ? method::options : name == "CONNECT" ? method::connect : method::other;
        default:
            return method::other;
    }
}

std::string_view to_string(method which) noexcept {
    switch (which) {
        case method::other:
            return {};
        case method::get:
            return "GET";
        case method::head:
            return "HEAD";
        case method::post:
            return "POST";
        case method::put:
            return "PUT";
        case method::delete_:
            return "DELETE";
        case method::connect:
            return "CONNECT";
        case method::options:
            return "OPTIONS";
        case method::trace:
            return "TRACE";
        case method::patch:
            return "PATCH";
    }
    return {};
}

bool is_token(std::string_view text) noexcept {
    return !text.empty() && all_are(text, character::token);
}

}  // namespace eddy::http
