#pragma once

#include <eddy/core/clock.hpp>

#include <algorithm>
#include <chrono>

namespace eddy::http {

/// Counts what a peer may do so many times a second, and ten times as often at once.
class flood_meter {
public:
    explicit flood_meter(double per_s) noexcept : per_s_(per_s), left_(per_s * burst) {}

    /// False: that was too much.
    [[nodiscard]] bool take(time_point now) noexcept {
        const double passed = std::chrono::duration<double>(now - taken_at_).count();
        left_ = std::min(per_s_ * burst, left_ + std::max(passed, 0.0) * per_s_) - 1;
        taken_at_ = now;
        return left_ >= 0;
    }

private:
    static constexpr double burst = 10;

    double per_s_;
    double left_;
    time_point taken_at_{};
};

}  // namespace eddy::http
