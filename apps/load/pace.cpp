#include "load/pace.hpp"

namespace eddy::apps {

pace::pace(double per_second, std::uint64_t connections, std::uint64_t index, time_point start) noexcept
    : interval_ns_(1e9 * static_cast<double>(connections) / per_second),
      due_ns_(interval_ns_ * static_cast<double>(index) / static_cast<double>(connections)),
      start_(start) {}

std::optional<time_point> pace::next() noexcept {
    if (!has_rate())
        return std::nullopt;
    const time_point due = start_ + duration(static_cast<duration::rep>(due_ns_));
    due_ns_ += interval_ns_;
    return due;
}

}  // namespace eddy::apps
