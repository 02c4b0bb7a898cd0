#pragma once

#include <eddy/core/ready_or_task.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/routing/middleware.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::http {

/// Compares secrets in a time that does not depend on where they differ, only on their sizes.
[[nodiscard]] bool constant_time_equal(std::string_view one, std::string_view other) noexcept;

/// The authenticated user, one of a request's attributes.
class authenticated_user {
public:
    /// A user whose name has been checked.
    explicit authenticated_user(std::string name) noexcept : name_(std::move(name)) {}
    /// Of basic authentication; empty for bearer tokens, unless the check puts one of its own.
    [[nodiscard]] const std::string& name() const noexcept { return name_; }

private:
    std::string name_;
};

/// Basic authentication (RFC 7617): answers 401 Unauthorized with a challenge unless `check` says that name
/// and password are right; then the attribute authenticated_user holds the name. `check` returns bool,
/// task<bool> or ready_or_task<bool>. Compare passwords by their hashes, or with constant_time_equal(). What it
/// throws is passed on. Only for connections with TLS: the password is as good as readable. See middleware.
class basic_authentication final : public middleware {
public:
    /// Checks a name and a password; may wait for that.
    using check_function = std::function<ready_or_task<bool>(std::string name, std::string password)>;

    /// `realm`: what is protected, for people. Throws std::invalid_argument if it has control characters.
    basic_authentication(std::string_view realm, check_function check);

    [[nodiscard]] ready_or_task<> handle(exchange& ex, request_handler& next) override;

private:
    [[nodiscard]] ready_or_task<> refuse(exchange& ex) const;
    [[nodiscard]] task<> wait(exchange& ex, request_handler& next, ready_or_task<bool> response,
                              std::string name);

    std::string challenge_;
    check_function check_;
};

/// Bearer tokens (RFC 6750): answers 401 with a challenge unless `check` says that the token is good, and 400
/// for an Authorization that is malformed. Tokens in queries and forms are not looked at. Otherwise as
/// basic_authentication.
class bearer_authentication final : public middleware {
public:
    /// Checks a token; may wait for that.
    using check_function = std::function<ready_or_task<bool>(exchange& ex, std::string token)>;

    /// Responds with 401 and this realm to what `check` refuses.
    bearer_authentication(std::string_view realm, check_function check);

    [[nodiscard]] ready_or_task<> handle(exchange& ex, request_handler& next) override;

private:
    [[nodiscard]] ready_or_task<> refuse(exchange& ex, bool has_token) const;
    [[nodiscard]] task<> wait(exchange& ex, request_handler& next, ready_or_task<bool> response);

    std::string challenge_;
    check_function check_;
};

}  // namespace eddy::http
