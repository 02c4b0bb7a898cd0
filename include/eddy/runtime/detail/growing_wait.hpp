#pragma once

#include <eddy/core/clock.hpp>

#include <algorithm>
#include <chrono>

namespace eddy::detail {

/// The waits between attempts (gRPC's doc/connection-backoff.md): each is longer than the one before, up to a limit, and
/// a fifth more or less by chance, so that clients do not come back all at once.
class growing_wait {
public:
    growing_wait(duration first, duration most, double factor = 1.6) noexcept
        : most_(std::max(most, least)), first_(std::clamp(first, least, most_)), factor_(factor) {}

    /// The next one. Requires: on a worker.
    [[nodiscard]] duration next();
    /// Begins with the first again.
    void reset() noexcept { current_ = first_; }

private:
    // What is nothing does not grow.
    static constexpr duration least = std::chrono::microseconds(1);

    duration most_;
    duration first_;
    double factor_;
    duration current_ = first_;
};

}  // namespace eddy::detail
