#pragma once

#include <eddy/http/request_head.hpp>

#include <optional>
#include <string_view>

namespace eddy::http {

/// One cookie that a client has sent. Refers to the request.
class cookie_view {
public:
    cookie_view(std::string_view name, std::string_view value) noexcept : name_(name), value_(value) {}

    [[nodiscard]] std::string_view name() const noexcept { return name_; }
    /// Without the quotes that may stand around it.
    [[nodiscard]] std::string_view value() const noexcept { return value_; }

private:
    std::string_view name_;
    std::string_view value_;
};

/// Takes the next cookie off the value of a Cookie field (RFC 6265 section 4.2.1). What is none, because it
/// has no "=", no name, a name that is no token or a value with characters that cookies do not have, is left
/// out, since other servers of the same domain may have set it. Nothing at the end. Any bytes may be given.
[[nodiscard]] std::optional<cookie_view> take_cookie(std::string_view& rest) noexcept;

/// The cookies of a request, in the order sent. A view: valid as long as the request is. Nothing is
/// allocated; each look goes through all of them.
class request_cookies {
public:
    explicit request_cookies(request_head request) noexcept : request_(request) {}

    /// The first one of that name, in this case of letters.
    [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const noexcept;

    /// Calls visit(cookie_view) for each.
    template <class Visitor>
    void for_each(Visitor&& visit) const {
        request_.for_each(field::cookie, [&visit](std::string_view rest) {
            while (const auto cookie = take_cookie(rest))
                visit(*cookie);
        });
    }

private:
    request_head request_;
};

}  // namespace eddy::http
