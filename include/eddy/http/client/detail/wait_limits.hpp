#pragma once

#include <eddy/core/clock.hpp>

namespace eddy::http {

/// How long a client_connection waits for a response. No limit by default. Setters chain.
class wait_limits {
public:
    wait_limits() noexcept = default;

    /// From the end of the request to the first byte of the response. Beyond:
    /// http_error::first_byte_timed_out.
    wait_limits& first_byte(duration limit) noexcept {
        first_byte_ = limit;
        return *this;
    }
    /// Between two pieces of the response. Beyond: http_error::idle_timed_out.
    wait_limits& idle(duration limit) noexcept {
        idle_ = limit;
        return *this;
    }
    /// When the exchange must be over. Beyond: http_error::total_timed_out.
    wait_limits& end(time_point at) noexcept {
        end_ = at;
        return *this;
    }

    [[nodiscard]] duration first_byte() const noexcept { return first_byte_; }
    [[nodiscard]] duration idle() const noexcept { return idle_; }
    [[nodiscard]] time_point end() const noexcept { return end_; }

private:
    duration first_byte_ = duration::max();
    duration idle_ = duration::max();
    time_point end_ = time_point::max();
};

}  // namespace eddy::http
