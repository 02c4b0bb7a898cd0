#include <eddy/stream/throttled.hpp>

#include <algorithm>
#include <chrono>

namespace eddy {

std::size_t byte_rate::available(time_point now) const noexcept {
    // Apart from the burst's own time, so that a time long past does not overflow.
    const time_point full_at = available_at(burst_bytes_);
    if (now >= full_at)
        return burst_bytes_;
    const auto lacking = static_cast<long double>((full_at - now).count()) / 1e9L;
    const auto missing_bytes = lacking * static_cast<long double>(bytes_per_s_);
    if (missing_bytes >= static_cast<long double>(burst_bytes_))
        return 0;
    return burst_bytes_ - static_cast<std::size_t>(missing_bytes + 0.999L);
}

time_point byte_rate::available_at(std::size_t count) const noexcept {
    if (earned_at_ == time_point::min())
        return earned_at_;
    return earned_at_ - time_for(burst_bytes_) + time_for(count);
}

void byte_rate::take(std::size_t count, time_point now) noexcept {
    earned_at_ = std::max(earned_at_, now) + time_for(count);
}

duration byte_rate::time_for(std::size_t count) const noexcept {
    const auto seconds = static_cast<long double>(count) / static_cast<long double>(bytes_per_s_);
    // Ten years are more than anybody waits, and fit into a duration.
    constexpr long double seconds_max = 3.2e8L;
    return std::chrono::ceil<duration>(std::chrono::duration<long double>(std::min(seconds, seconds_max)));
}

}  // namespace eddy
