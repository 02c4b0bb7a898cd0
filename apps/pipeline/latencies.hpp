#pragma once

#include <eddy/core/clock.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace eddy::apps {

/// How long things took, each of them: 4 bytes a thing, so percentiles are exact. At most 4.2 s count as
/// such.
class latencies {
public:
    void add(duration took);
    void clear() noexcept { took_ns_.clear(); }
    [[nodiscard]] std::size_t size() const noexcept { return took_ns_.size(); }

    /// The smallest latency that at least `share` (0 to 1) of them do not exceed, in microseconds; 0 if there
    /// is none. Changes their order.
    [[nodiscard]] double percentile_us(double share);

private:
    std::vector<std::uint32_t> took_ns_;
};

}  // namespace eddy::apps
