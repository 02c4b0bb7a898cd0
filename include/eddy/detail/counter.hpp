#pragma once

#include <eddy/detail/build.hpp>

#include <atomic>
#include <cstdint>

namespace eddy::detail {

/// A count that one thread changes and any thread may read. Costs its writer what a plain integer costs.
class counter {
public:
    void add(std::uint64_t count) noexcept {
        value_.store(value_.load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
    }
    counter& operator++() noexcept {
        add(1);
        return *this;
    }
    void subtract(std::uint64_t count) noexcept {
        value_.store(value_.load(std::memory_order_relaxed) - count, std::memory_order_relaxed);
    }
    [[nodiscard]] std::uint64_t value() const noexcept { return value_.load(std::memory_order_relaxed); }

private:
    std::atomic<std::uint64_t> value_{0};
};

}  // namespace eddy::detail
