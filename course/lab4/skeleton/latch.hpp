#pragma once

#include "event.hpp"
#include "support/todo.hpp"

#include <atomic>
#include <cstddef>

namespace lab {

/// Opens when it has been counted down to zero, once. The task that has waited may destroy it.
class latch {
public:
    explicit latch(std::size_t count) : left_(count) {
        // Step 4: what if the count is 0?
    }

    /// Any thread. Requires: not more often than the count.
    void count_down() noexcept { course::todo("step 4: latch::count_down"); }

    [[nodiscard]] event::awaiter wait() noexcept { return open_.wait(); }

private:
    std::atomic<std::size_t> left_;
    event open_;
};

}  // namespace lab
