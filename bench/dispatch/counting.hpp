#pragma once

#include "driver/errors.hpp"

#include <atomic>
#include <cstdint>
#include <string>

namespace bench {

// What every handed-over function or task does.
inline void increment(std::int64_t& counter) {
    ++counter;
}
inline void increment(std::atomic<std::int64_t>& counter) {
    counter.fetch_add(1, std::memory_order_relaxed);
}

// Throws failure unless all that was handed over has run.
inline void expect_all_ran(std::int64_t ran, std::int64_t handed_over) {
    if (ran != handed_over)
        throw failure(std::to_string(handed_over) + " handed over, " + std::to_string(ran) + " ran");
}

}  // namespace bench
