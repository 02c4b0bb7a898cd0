#pragma once

#include <atomic>
#include <cstdint>

namespace bench {

// What every handed-over function or task does.
inline void increment(std::int64_t& counter) {
    ++counter;
}
inline void increment(std::atomic<std::int64_t>& counter) {
    counter.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace bench
