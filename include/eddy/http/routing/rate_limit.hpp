#pragma once

#include <eddy/http/routing/middleware.hpp>
#include <eddy/http/routing/token_bucket.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>

namespace eddy::http {

/// How many requests a client may make. Setters chain.
class rate_limit_options {
public:
    /// Requires: positive.
    explicit rate_limit_options(double requests_per_second) noexcept
        : per_second_(requests_per_second), burst_(std::max(1.0, requests_per_second)) {}

    /// How many at once after a pause; as many as in a second by default. At least 1.
    rate_limit_options& burst(double requests) noexcept {
        burst_ = std::max(1.0, requests);
        return *this;
    }
    /// Requests with the same key count together. By default the key is the peer's address, of IPv6 its first
    /// 64 bits; peers without an address share one.
    rate_limit_options& key(std::function<std::string(exchange&)> of) {
        key_ = std::move(of);
        return *this;
    }
    /// How many keys are remembered. Beyond, the least recently used are forgotten first.
    rate_limit_options& keys_max(std::size_t count) noexcept {
        keys_max_ = std::max<std::size_t>(1, count);
        return *this;
    }

    /// How many requests a second each client may make.
    [[nodiscard]] double per_second() const noexcept { return per_second_; }
    [[nodiscard]] double burst() const noexcept { return burst_; }
    [[nodiscard]] const std::function<std::string(exchange&)>& key() const noexcept { return key_; }
    [[nodiscard]] std::size_t keys_max() const noexcept { return keys_max_; }

private:
    double per_second_;
    double burst_;
    std::function<std::string(exchange&)> key_;
    std::size_t keys_max_ = 100'000;
};

/// Answers 429 Too Many Requests with Retry-After (RFC 6585 section 4) to clients with too many requests. It
/// counts on its worker: with several workers a client has as many times the rate, at most. See middleware.
class rate_limit final : public middleware {
public:
    /// Responds with 429 to more requests than that.
    explicit rate_limit(rate_limit_options options) : options_(std::move(options)) {}

    [[nodiscard]] ready_or_task<> handle(exchange& ex, request_handler& next) override;

    /// The key by default.
    [[nodiscard]] static std::string address_key(exchange& ex);

private:
    [[nodiscard]] token_bucket& bucket_of(std::string key, time_point now);
    void forget_some(time_point now);

    rate_limit_options options_;
    std::unordered_map<std::string, token_bucket> buckets_;
};

}  // namespace eddy::http
