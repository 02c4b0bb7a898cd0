#include "http/message/request_target.hpp"

#include "http/message/characters.hpp"

#include <eddy/http/message/detail/authority.hpp>

namespace eddy::http {
namespace {

void split_path(request_target& target, std::string_view text) noexcept {
    const auto mark = text.find('?');
    target.path = text.substr(0, mark);
    target.query = mark == std::string_view::npos ? text.substr(text.size()) : text.substr(mark + 1);
}

bool split_absolute(request_target& target, std::string_view text) noexcept {
    const auto scheme_end = text.find("://");
    if (scheme_end == std::string_view::npos) {
        return false;
    }
    const auto scheme = text.substr(0, scheme_end);
    if (!equal_ignoring_case(scheme, "http") && !equal_ignoring_case(scheme, "https")) {
        return false;
    }
    target.form = target_form::absolute;
    text.remove_prefix(scheme_end + 3);
    target.authority = text.substr(0, text.find_first_of("/?"));
    if (!parse_authority(target.authority)) {
        return false;
    }
    split_path(target, text.substr(target.authority.size()));
    return true;
}

}  // namespace

bool split_request_target(method which, std::string_view text, request_target& parts) noexcept {
    if (which == method::connect) {
        const auto parsed = parse_authority(text);
        parts.form = target_form::authority;
        parts.authority = text;
        return parsed && parsed->port();
    }
    if (text.front() == '/') {
        split_path(parts, text);
        return true;
    }
    if (text == "*") {
        parts.form = target_form::asterisk;
        return which == method::options;
    }
    return split_absolute(parts, text);
}

}  // namespace eddy::http
