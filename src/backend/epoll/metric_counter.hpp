#pragma once

#include <atomic>
#include <cstdint>

namespace eddy::backends {

/// A counter that one thread advances and any thread may read.
class metric_counter {
public:
    void add() noexcept { value_.store(value() + 1, std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t value() const noexcept { return value_.load(std::memory_order_relaxed); }

private:
    std::atomic<std::uint64_t> value_ = 0;
};

}  // namespace eddy::backends
