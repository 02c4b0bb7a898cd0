#include "http/message/base64.hpp"
#include "http/message/characters.hpp"

#include <eddy/http/routing/authentication.hpp>
#include <eddy/http/server/response.hpp>

#include <openssl/crypto.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace eddy::http {

namespace {

std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char byte : text) {
        if (!is(byte, character::field))
            throw std::invalid_argument("a realm has control characters");
        if (byte == '"' || byte == '\\')
            out += '\\';
        out += byte;
    }
    return out + '"';
}

// What follows the scheme (RFC 9110 section 11.6.2); nothing for another scheme.
std::optional<std::string_view> credentials(request_head request, std::string_view scheme) noexcept {
    const auto sent = request.only(field::authorization);
    if (!sent || !equal_ignoring_case(sent->substr(0, sent->find(' ')), scheme))
        return std::nullopt;
    return trim(sent->substr(scheme.size()));
}

// b64token of RFC 6750 section 2.1.
bool is_token68(std::string_view text) noexcept {
    const std::string_view body = text.substr(0, text.find('='));
    return !body.empty() && text.find_first_not_of('=', body.size()) == std::string_view::npos &&
           std::ranges::all_of(body, [](char byte) {
               return is_digit(byte) || (to_lower(byte) >= 'a' && to_lower(byte) <= 'z') ||
                      std::string_view("-._~+/").find(byte) != std::string_view::npos;
           });
}

}  // namespace

bool constant_time_equal(std::string_view one, std::string_view other) noexcept {
    return one.size() == other.size() && CRYPTO_memcmp(one.data(), other.data(), one.size()) == 0;
}

basic_authentication::basic_authentication(std::string_view realm, check_function check)
    : challenge_("Basic realm=" + quoted(realm) + ", charset=\"UTF-8\""), check_(std::move(check)) {}

ready_or_task<> basic_authentication::handle(exchange& ex, request_handler& next) {
    const auto sent = credentials(ex.request(), "basic");
    const auto decoded = sent ? base64_decode(*sent) : std::nullopt;
    const auto colon = decoded ? decoded->find(':') : std::string::npos;
    if (colon == std::string::npos)
        return refuse(ex);
    std::string name = decoded->substr(0, colon);
    ready_or_task<bool> response = check_(name, decoded->substr(colon + 1));
    return wait(ex, next, std::move(response), std::move(name));
}

ready_or_task<> basic_authentication::refuse(exchange& ex) const {
    return response::send(ex, response::plain(status::unauthorized).header("WWW-Authenticate", challenge_));
}

task<> basic_authentication::wait(exchange& ex, request_handler& next, ready_or_task<bool> response,
                                  std::string name) {
    const bool is_right = co_await std::move(response);
    if (!is_right)
        co_return co_await refuse(ex);
    ex.attributes().emplace<authenticated_user>(std::move(name));
    co_await next.handle(ex);
}

bearer_authentication::bearer_authentication(std::string_view realm, check_function check)
    : challenge_("Bearer realm=" + quoted(realm)), check_(std::move(check)) {}

ready_or_task<> bearer_authentication::handle(exchange& ex, request_handler& next) {
    const auto token = credentials(ex.request(), "bearer");
    if (!token)
        return refuse(ex, false);
    if (!is_token68(*token))
        return response::send(ex,
                              response::plain(status::bad_request)
                                  .header("WWW-Authenticate", challenge_ + ", error=\"invalid_request\""));
    return wait(ex, next, check_(ex, std::string(*token)));
}

ready_or_task<> bearer_authentication::refuse(exchange& ex, bool has_token) const {
    return response::send(ex, response::plain(status::unauthorized)
                                  .header("WWW-Authenticate",
                                          has_token ? challenge_ + ", error=\"invalid_token\"" : challenge_));
}

task<> bearer_authentication::wait(exchange& ex, request_handler& next, ready_or_task<bool> response) {
    const bool is_right = co_await std::move(response);
    if (!is_right)
        co_return co_await refuse(ex, true);
    if (ex.attributes().find<authenticated_user>() == nullptr)
        ex.attributes().emplace<authenticated_user>(std::string());
    co_await next.handle(ex);
}

}  // namespace eddy::http
