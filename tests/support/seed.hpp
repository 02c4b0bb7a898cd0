#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>

namespace eddy::test {

/// A generator whose seed is printed. EDDY_TEST_SEED=N repeats a run.
inline std::mt19937_64 seeded_generator() {
    const char* const wanted = std::getenv("EDDY_TEST_SEED");
    const std::uint64_t seed =
        wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : std::random_device{}();
    std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
    std::fflush(stdout);
    return std::mt19937_64(seed);
}

/// A number from `low` to `high`, both included.
template <class Number>
Number between(std::mt19937_64& generator, Number low, Number high) {
    return std::uniform_int_distribution<Number>(low, high)(generator);
}

}  // namespace eddy::test
