#pragma once

#include <eddy/core/clock.hpp>

#include <cstdint>
#include <optional>

namespace eddy::apps {

/// When the requests of one connection are due: each as soon as the one before is answered, or by a rate,
/// whether answers come or not. With a rate a latency counts from when the request was due, so that a server
/// that stands still is not made to look better by requests that were never sent meanwhile ("coordinated
/// omission").
class pace {
public:
    /// As soon as possible.
    pace() noexcept = default;
    /// One of `connections`, the `index`th, that together send `per_second` requests, spread evenly.
    pace(double per_second, std::uint64_t connections, std::uint64_t index, time_point start) noexcept;

    /// When the next request is due; nothing if it is due now. Advances to the following one.
    [[nodiscard]] std::optional<time_point> next() noexcept;
    [[nodiscard]] bool has_rate() const noexcept { return interval_ns_ > 0; }

private:
    double interval_ns_ = 0;
    double due_ns_ = 0;  // from start_
    time_point start_{};
};

}  // namespace eddy::apps
