#pragma once

#include "support/test.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <limits>
#include <string>

namespace course {

/// The processor time that `work()` takes, of all threads together.
template <class Work>
double seconds_of(Work& work) {
    const auto used = [] {
        timespec now{};
        ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
        return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
    };
    const double begin = used();
    work();
    return used() - begin;
}

/// How many times as much `ours()` measures as `baseline()`: the best of several rounds of each.
template <class Ours, class Baseline>
double best_ratio(Ours ours, Baseline baseline, int rounds = 4) {
    double best_ours = std::numeric_limits<double>::max();
    double best_baseline = std::numeric_limits<double>::max();
    for (int round = 0; round < rounds; ++round) {
        best_ours = std::min(best_ours, ours());
        best_baseline = std::min(best_baseline, baseline());
    }
    return best_ours / best_baseline;
}

/// How much of the processor `ours` takes for each part that `baseline` takes, with several rounds of each, in turn, so that what
/// else the machine does counts for both.
template <class Ours, class Baseline>
double ratio(Ours ours, Baseline baseline, int rounds = 9) {
    ours();
    baseline();
    return best_ratio([&] { return seconds_of(ours); }, [&] { return seconds_of(baseline); }, rounds);
}

/// Fails if `measured` is more than `limit`. The score card shows both.
inline void expect_ratio(double measured, double limit, const std::string& cause, const std::string& anchor) {
    std::printf("course: ratio: %.2f, at most %.2f\n", measured, limit);
    EXPECT_LE(measured, limit) << why(cause, anchor);
}

/// What is computed for it is not optimised away.
template <class T>
void keep(const T& value) {
    asm volatile("" : : "g"(&value) : "memory");
}

}  // namespace course
