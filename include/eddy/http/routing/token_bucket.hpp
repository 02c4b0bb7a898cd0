#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/runtime/detail/deadline.hpp>

#include <algorithm>
#include <chrono>

namespace eddy::http {

/// Lets so many things a second happen, and so many at once after a pause.
class token_bucket {
public:
    /// It is full. Requires: both positive.
    token_bucket(double per_second, double burst, time_point now) noexcept
        : per_second_(per_second), burst_(burst), tokens_(burst), filled_at_(now) {}

    /// Takes a token; false if there is none.
    [[nodiscard]] bool try_take(time_point now) noexcept {
        fill(now);
        if (tokens_ < 1)
            return false;
        tokens_ -= 1;
        return true;
    }
    /// How long until there is one.
    [[nodiscard]] duration wait(time_point now) noexcept {
        fill(now);
        const double missing = std::max(0.0, 1 - tokens_);
        return eddy::detail::saturated(std::chrono::duration<double>(missing / per_second_));
    }
    /// Whether it is as if it were new.
    [[nodiscard]] bool is_full(time_point now) noexcept {
        fill(now);
        return tokens_ >= burst_;
    }

private:
    void fill(time_point now) noexcept {
        if (now <= filled_at_)
            return;
        const std::chrono::duration<double> passed = now - filled_at_;
        tokens_ = std::min(burst_, tokens_ + passed.count() * per_second_);
        filled_at_ = now;
    }

    double per_second_;
    double burst_;
    double tokens_;
    time_point filled_at_;
};

}  // namespace eddy::http
