#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/integrations/redis/options.hpp>
#include <eddy/runtime/detail/deadline.hpp>

#include <algorithm>
#include <chrono>

namespace eddy::redis::detail {

/// How long a server may be silent: while it owes a reply, and, while it does not, before it is sent a PING.
class health_limits {
public:
    explicit health_limits(const options& wanted) noexcept
        : requested_(wanted.health_timeout()),
          idle_(wanted.health_interval() > duration::zero() ? wanted.health_interval() : duration::max()) {}

    [[nodiscard]] bool has_any() const noexcept { return std::min(requested_, idle_) != duration::max(); }
    /// When a server that was heard last at that time has been silent for too long.
    [[nodiscard]] time_point due(time_point heard, bool is_requested) const noexcept {
        return eddy::detail::deadline_after(heard, is_requested ? requested_ : idle_);
    }
    /// For how long neither limit can be passed, whatever is sent meanwhile. Requires: now < due().
    [[nodiscard]] duration until_next_look(time_point heard, bool is_requested,
                                           time_point now) const noexcept {
        constexpr duration shortest = std::chrono::milliseconds(1);
        return std::max(shortest, std::min({requested_, idle_, due(heard, is_requested) - now}));
    }

private:
    duration requested_;
    duration idle_;
};

}  // namespace eddy::redis::detail
