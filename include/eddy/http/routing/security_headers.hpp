#pragma once

#include <eddy/http/routing/middleware.hpp>

#include <chrono>
#include <string>
#include <utility>

namespace eddy::http {

/// Adds the fields that restrict what browsers do with a response: X-Content-Type-Options: nosniff,
/// X-Frame-Options: DENY, Referrer-Policy: strict-origin-when-cross-origin. Setters chain; an empty value
/// leaves a field out. See middleware.
class security_headers final : public middleware {
public:
    security_headers() = default;

    /// The value of X-Frame-Options; empty for none.
    security_headers& frame_options(std::string value) {
        frame_options_ = std::move(value);
        return *this;
    }
    /// The value of Referrer-Policy; empty for none.
    security_headers& referrer_policy(std::string value) {
        referrer_policy_ = std::move(value);
        return *this;
    }
    /// Content-Security-Policy, for which nothing is right for all; without it by default.
    security_headers& content_security_policy(std::string value) {
        content_security_policy_ = std::move(value);
        return *this;
    }
    /// Strict-Transport-Security (RFC 6797), which is sent over TLS only; without it by default, since
    /// browsers do not forget it.
    security_headers& strict_transport(std::chrono::seconds max_age) {
        strict_transport_ = "max-age=" + std::to_string(max_age.count());
        return *this;
    }

    [[nodiscard]] ready_or_task<> handle(exchange& ex, request_handler& next) override;

private:
    std::string frame_options_ = "DENY";
    std::string referrer_policy_ = "strict-origin-when-cross-origin";
    std::string content_security_policy_;
    std::string strict_transport_;
};

}  // namespace eddy::http
