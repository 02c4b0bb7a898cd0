#pragma once

#include <eddy/base/clock.hpp>

#include <chrono>
#include <cstddef>

namespace eddy::pq {

/// The limits of a pool. Setters chain.
class pool_options {
public:
    pool_options() noexcept = default;

    /// How many connections there are at most. 10. Requires: at least one.
    pool_options& size_max(std::size_t connections) noexcept {
        size_max_ = connections;
        return *this;
    }
    /// How long acquire() may take in all: waiting for others, connecting, trying again. 5 s.
    pool_options& acquire_timeout(duration limit) noexcept {
        acquire_timeout_ = limit;
        return *this;
    }
    /// A connection that nobody used for so long is asked `select 1` before it is given out again. Others
    /// are only looked at, which shows most that have ended. 30 s.
    pool_options& check_after_idle(duration length) noexcept {
        check_after_idle_ = length;
        return *this;
    }
    /// How long that, and each other check, may take; a connection that takes longer is closed. 1 s.
    pool_options& check_timeout(duration limit) noexcept {
        check_timeout_ = limit;
        return *this;
    }
    /// A connection that nobody used for so long is closed. 10 min.
    pool_options& idle_max(duration length) noexcept {
        idle_max_ = length;
        return *this;
    }
    /// A connection that is older is not given out again. 1 h.
    pool_options& age_max(duration length) noexcept {
        age_max_ = length;
        return *this;
    }
    /// When the server takes no connection, the pool tries again after `first`, then after twice as long each
    /// time, `longest` at most, for as long as acquire_timeout allows. 50 ms and 1 s.
    pool_options& reconnect_delay(duration first, duration longest) noexcept {
        reconnect_delay_first_ = first;
        reconnect_delay_max_ = longest;
        return *this;
    }

    [[nodiscard]] std::size_t size_max() const noexcept { return size_max_; }
    [[nodiscard]] duration acquire_timeout() const noexcept { return acquire_timeout_; }
    [[nodiscard]] duration check_after_idle() const noexcept { return check_after_idle_; }
    [[nodiscard]] duration check_timeout() const noexcept { return check_timeout_; }
    [[nodiscard]] duration idle_max() const noexcept { return idle_max_; }
    [[nodiscard]] duration age_max() const noexcept { return age_max_; }
    [[nodiscard]] duration reconnect_delay_first() const noexcept { return reconnect_delay_first_; }
    [[nodiscard]] duration reconnect_delay_max() const noexcept { return reconnect_delay_max_; }

private:
    std::size_t size_max_ = 10;
    duration acquire_timeout_ = std::chrono::seconds(5);
    duration check_after_idle_ = std::chrono::seconds(30);
    duration check_timeout_ = std::chrono::seconds(1);
    duration idle_max_ = std::chrono::minutes(10);
    duration age_max_ = std::chrono::hours(1);
    duration reconnect_delay_first_ = std::chrono::milliseconds(50);
    duration reconnect_delay_max_ = std::chrono::seconds(1);
};

}  // namespace eddy::pq
