#include "pipeline/latencies.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace eddy::apps {

void latencies::add(duration took) {
    constexpr duration::rep longest = std::numeric_limits<std::uint32_t>::max();
    took_ns_.push_back(static_cast<std::uint32_t>(std::clamp<duration::rep>(took.count(), 0, longest)));
}

double latencies::percentile_us(double share) {
    if (took_ns_.empty())
        return 0;
    const double wanted = std::ceil(share * static_cast<double>(took_ns_.size()));
    const auto rank = std::clamp<std::size_t>(static_cast<std::size_t>(wanted), 1, took_ns_.size()) - 1;
    const auto nth = took_ns_.begin() + static_cast<std::ptrdiff_t>(rank);
    std::ranges::nth_element(took_ns_, nth);
    constexpr double ns_per_us = 1000;
    return *nth / ns_per_us;
}

}  // namespace eddy::apps
