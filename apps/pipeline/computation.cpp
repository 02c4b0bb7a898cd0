#include "pipeline/computation.hpp"

#include <algorithm>
#include <chrono>

namespace eddy::apps {

namespace {

std::uint64_t mix(std::uint64_t number, std::uint64_t rounds) noexcept {
    volatile std::uint64_t kept = number;
    std::uint64_t mixed = number;
    for (std::uint64_t round = 0; round < rounds; ++round) {
        mixed = (mixed ^ mixed >> 31) * 0x9e3779b97f4a7c15u;
        kept = mixed;
    }
    return kept;
}

}  // namespace

computation::computation(duration work) {
    if (work <= duration::zero())
        return;
    constexpr std::uint64_t rounds = 20'000;
    constexpr int tries = 50;
    // The quickest try is the one that had the processor to itself.
    duration quickest = duration::max();
    for (int count = 0; count < tries; ++count) {
        const time_point start = clock::now();
        static_cast<void>(mix(static_cast<std::uint64_t>(count), rounds));
        quickest = std::min(quickest, clock::now() - start);
    }
    rounds_ = static_cast<std::uint64_t>(static_cast<double>(work.count()) * rounds /
                                         static_cast<double>(std::max<std::int64_t>(quickest.count(), 1)));
}

std::uint64_t computation::operator()(std::uint64_t number) const noexcept {
    static_cast<void>(mix(number, rounds_));
    return number * number;
}

}  // namespace eddy::apps
