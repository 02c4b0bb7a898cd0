#pragma once

#include <algorithm>
#include <chrono>

namespace eddy::detail {

/// How long to wait before the next try where the system does not report that one is worth it: 1 ms at first,
/// 50 ms at the most.
class retry_pace {
public:
    [[nodiscard]] std::chrono::milliseconds next() noexcept {
        const auto given = wait_;
        wait_ = std::min(2 * wait_, wait_max);
        return given;
    }

private:
    static constexpr std::chrono::milliseconds wait_max{50};
    std::chrono::milliseconds wait_{1};
};

}  // namespace eddy::detail
