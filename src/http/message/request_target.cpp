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

std::optional<request_target> split_absolute(std::string_view text) noexcept {
    const auto scheme_end = text.find("://");
    if (scheme_end == std::string_view::npos) {
        return std::nullopt;
    }
    const auto scheme = text.substr(0, scheme_end);
    if (!equal_ignoring_case(scheme, "http") && !equal_ignoring_case(scheme, "https")) {
        return std::nullopt;
    }
    request_target target;
    target.form = target_form::absolute;
    text.remove_prefix(scheme_end + 3);
    target.authority = text.substr(0, text.find_first_of("/?"));
    if (!parse_authority(target.authority)) {
        return std::nullopt;
    }
    split_path(target, text.substr(target.authority.size()));
    return target;
}

std::optional<request_target> whole(target_form form, std::string_view authority) noexcept {
    request_target target;
    target.form = form;
    target.authority = authority;
    return target;
}

}  // namespace

std::optional<request_target> split_request_target(method which, std::string_view text) noexcept {
    if (which == method::connect) {
        const auto parsed = parse_authority(text);
        return parsed && parsed->port() ? whole(target_form::authority, text) : std::nullopt;
    }
    if (text.front() == '/') {
        request_target target;
        split_path(target, text);
        return target;
    }
    if (text == "*") {
        return which == method::options ? whole(target_form::asterisk, {}) : std::nullopt;
    }
    return split_absolute(text);
}

}  // namespace eddy::http
