#pragma once

#include <cstdint>
#include <time.h>

namespace bench {

inline std::uint64_t read_clock_ns(clockid_t clock) {
    timespec t;
    clock_gettime(clock, &t);
    return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(t.tv_nsec);
}

inline std::uint64_t now_ns() {
    return read_clock_ns(CLOCK_MONOTONIC);
}

}  // namespace bench
