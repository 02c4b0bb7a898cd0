#include "http/message/base64.hpp"
#include "http/message/field_syntax.hpp"

#include <eddy/http/client/client_request.hpp>
#include <eddy/http/message/field.hpp>
#include <eddy/http/message/http_error.hpp>

#include <algorithm>
#include <array>
#include <system_error>

namespace eddy::http {
namespace {

[[noreturn]] void refuse_request(const char* what) {
    throw std::system_error(make_error_code(http_error::invalid_request), what);
}

// What the client writes itself, or what the next hop would take for its own.
bool is_the_clients(std::string_view name) noexcept {
    constexpr std::array<std::string_view, 9> names{"content-length",   "transfer-encoding", "expect",
                                                    "connection",       "upgrade",           "keep-alive",
                                                    "proxy-connection", "trailer",           "te"};
    return std::ranges::any_of(names, [name](auto each) { return equal_ignoring_case(each, name); });
}

bool is_of_content(std::string_view name) noexcept {
    return equal_ignoring_case(name.substr(0, 8), "content-");
}

}  // namespace

client_request::client_request(http::method requested, http::url to)
    : method_(requested), method_name_(to_string(requested)), url_(std::move(to)) {
    if (method_ == http::method::other)
        refuse_request("method");
}

client_request::client_request(std::string method_name, http::url to)
    : method_(method_from(method_name)), method_name_(std::move(method_name)), url_(std::move(to)) {
    if (!is_token(method_name_))
        refuse_request("method");
}

client_request& client_request::field(std::string_view name, std::string_view value) {
    if (!is_field(name, value))
        refuse_request("field");
    if (is_the_clients(name))
        refuse_request("a field that the client writes itself");
    fields_.emplace_back(name, value);
    return *this;
}

client_request& client_request::set_field(std::string_view name, std::string_view value) {
    remove_field(name);
    return field(name, value);
}

client_request& client_request::remove_field(std::string_view name) {
    std::erase_if(fields_, [name](const auto& each) { return equal_ignoring_case(each.first, name); });
    return *this;
}

client_request& client_request::content(outgoing_body body, std::string_view type) {
    body_ = std::move(body);
    if (!type.empty())
        set_field("Content-Type", type);
    return *this;
}

client_request& client_request::basic_auth(std::string_view user, std::string_view password) {
    if (user.contains(':'))
        refuse_request("a colon in a user's name");
    return set_field("Authorization",
                     "Basic " + base64_encode(std::string(user).append(":").append(password)));
}

client_request& client_request::bearer_auth(std::string_view token) {
    return set_field("Authorization", std::string("Bearer ").append(token));
}

client_request& client_request::accept_trailers() {
    fields_.emplace_back("Connection", "TE");
    fields_.emplace_back("TE", "trailers");
    return *this;
}

client_request& client_request::upgrade_to(std::string_view protocol) {
    if (!is_field("Upgrade", protocol) || protocol.empty())
        refuse_request("protocol");
    upgrades_ = true;
    fields_.emplace_back("Connection", "Upgrade");
    fields_.emplace_back("Upgrade", protocol);
    return *this;
}

bool client_request::has_field(std::string_view name) const noexcept {
    return std::ranges::any_of(fields_,
                               [name](const auto& each) { return equal_ignoring_case(each.first, name); });
}

void client_request::redirect(http::url to, http::method requested) {
    const bool is_elsewhere = to.origin() != url_.origin();
    if (requested != method_) {
        method_ = requested;
        method_name_ = to_string(requested);
        body_ = outgoing_body();
        expects_continue_ = false;
        std::erase_if(fields_, [](const auto& each) { return is_of_content(each.first); });
    }
    if (is_elsewhere) {
        for (const std::string_view secret : {"Authorization", "Cookie", "Proxy-Authorization", "Host"})
            remove_field(secret);
    } else if (to.user_info().empty()) {
        to = *to.with_user_info(url_.user_info());
    }
    url_ = std::move(to);
}

}  // namespace eddy::http
