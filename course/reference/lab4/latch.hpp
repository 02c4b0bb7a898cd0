#pragma once

#include "event.hpp"

#include <atomic>
#include <cstddef>

namespace lab {

/// Opens when it has been counted down to zero, once. The task that has waited may destroy it.
class latch {
public:
    explicit latch(std::size_t count) : left_(count) {
        if (count == 0)
            open_.set();
    }

    /// Any thread. Requires: not more often than the count.
    void count_down() noexcept {
        if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1)
            open_.set();
    }

    [[nodiscard]] event::awaiter wait() noexcept { return open_.wait(); }

private:
    std::atomic<std::size_t> left_;
    event open_;
};

}  // namespace lab
