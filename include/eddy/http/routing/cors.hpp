#pragma once

#include <eddy/http/routing/middleware.hpp>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eddy::http {

/// Which pages of other origins may use a server (Fetch standard section 3.2). Without more: none. Setters
/// chain.
class cors_options {
public:
    cors_options() = default;

    /// Allows an origin, exactly as browsers send it: "https://example.org".
    cors_options& origin(std::string exact) {
        origins_.push_back(std::move(exact));
        return *this;
    }
    /// Allows those for which this holds.
    cors_options& origins(std::function<bool(std::string_view origin)> allowed) {
        predicate_ = std::move(allowed);
        return *this;
    }
    /// Allows all. With credentials this opens the server to every page: use a predicate instead.
    cors_options& any_origin() noexcept {
        any_origin_ = true;
        return *this;
    }
    /// Methods beside GET, HEAD and POST, separated by commas. "GET, HEAD, POST, PUT, PATCH, DELETE" by
    /// default.
    cors_options& methods(std::string list) {
        methods_ = std::move(list);
        return *this;
    }
    /// Fields that requests may have; "Content-Type, Authorization" by default.
    cors_options& headers(std::string list) {
        headers_ = std::move(list);
        return *this;
    }
    /// Fields of responses that pages may see.
    cors_options& exposed_headers(std::string list) {
        exposed_ = std::move(list);
        return *this;
    }
    /// Whether browsers send cookies and the like along.
    cors_options& credentials(bool value) noexcept {
        credentials_ = value;
        return *this;
    }
    /// How long browsers remember a preflight's answer; 10 minutes by default.
    cors_options& max_age(std::chrono::seconds value) noexcept {
        max_age_ = value;
        return *this;
    }

private:
    friend class cors;
    std::vector<std::string> origins_;
    std::function<bool(std::string_view)> predicate_;
    bool any_origin_ = false;
    std::string methods_ = "GET, HEAD, POST, PUT, PATCH, DELETE";
    std::string headers_ = "Content-Type, Authorization";
    std::string exposed_;
    bool credentials_ = false;
    std::chrono::seconds max_age_ = std::chrono::minutes(10);
};

/// Declares to browsers which origins may read the responses, answers their preflights, and has caches keep
/// the responses for different origins apart (Vary). It does not stop any request: one that has effects needs
/// a check of its own. See middleware.
class cors final : public middleware {
public:
    /// Throws std::invalid_argument for any_origin() together with credentials.
    explicit cors(cors_options options);

    [[nodiscard]] ready_or_task<> handle(exchange& ex, request_handler& next) override;

private:
    [[nodiscard]] bool allows(std::string_view origin) const;

    cors_options options_;
};

}  // namespace eddy::http
