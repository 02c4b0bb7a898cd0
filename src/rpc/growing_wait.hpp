#pragma once

#include <eddy/core/clock.hpp>

namespace eddy::rpc {

/// The waits between attempts (gRPC's doc/connection-backoff.md): each is longer than the one before, up to a limit, and
/// a fifth more or less by chance.
class growing_wait {
public:
    growing_wait(duration first, duration most, double factor = 1.6) noexcept
        : first_(first), most_(most), factor_(factor) {
        reset();
    }

    /// The next one. Requires: on a worker.
    [[nodiscard]] duration next();
    /// Begins with the first again.
    void reset() noexcept { current_ = first_ < most_ ? first_ : most_; }

private:
    duration first_;
    duration most_;
    double factor_;
    duration current_{};
};

}  // namespace eddy::rpc
