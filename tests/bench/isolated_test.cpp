#include "contest/isolated.hpp"

#include "driver/errors.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <functional>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

using bench::measure_isolated;
using bench::sample;

constexpr double generous_seconds = 60;

std::string reason_of_failure(const std::function<sample()>& measured, double seconds_max) {
    try {
        measure_isolated(measured, {}, seconds_max);
    } catch (const bench::failure& error) {
        return error.what();
    }
    return "no failure";
}

TEST(isolated, the_result_comes_from_a_process_of_its_own) {
    const pid_t here = getpid();
    static int changed = 0;
    const auto measured = [here] {
        changed = 1;
        return sample{getpid() == here ? 0.0 : 7.0, 2, 3};
    };
    const sample result = measure_isolated(measured, {}, generous_seconds);
    EXPECT_EQ(result.items, 7);
    EXPECT_EQ(result.seconds, 2);
    EXPECT_EQ(result.cpu_seconds, 3);
    EXPECT_EQ(changed, 0);
}

TEST(isolated, the_memory_of_the_process_is_noted) {
    constexpr std::size_t size = 32 * 1024 * 1024;
    const auto measured = [] {
        // What is not looked at need not be there.
        std::vector<char> memory(size, 'x');
        double sum = 0;
        for (volatile char* each = memory.data(); each != memory.data() + size; each += 4096)
            sum += *each;
        return sample{sum, 1, 1};
    };
    const sample result = measure_isolated(measured, {}, generous_seconds);
    EXPECT_GE(result.peak_memory_bytes, static_cast<double>(size));
    EXPECT_LT(result.peak_memory_bytes, static_cast<double>(8 * size));
}

TEST(isolated, memory_that_the_measurement_tells_stays_as_told) {
    sample reported{1, 1, 1};
    reported.peak_memory_bytes = 4096;
    EXPECT_EQ(measure_isolated([reported] { return reported; }, {}, generous_seconds).peak_memory_bytes,
              4096);
}

TEST(isolated, what_is_thrown_comes_back_as_a_failure) {
    const auto throws = []() -> sample { throw bench::failure("three were lost"); };
    EXPECT_EQ(reason_of_failure(throws, generous_seconds), "three were lost");
}

TEST(isolated, a_crash_is_a_failure) {
    const auto crashes = []() -> sample {
        kill(getpid(), SIGKILL);
        return {};
    };
    EXPECT_EQ(reason_of_failure(crashes, generous_seconds), "ended by Killed");
}

TEST(isolated, what_hangs_is_ended) {
    const auto hangs = []() -> sample {
        for (;;)
            pause();
    };
    EXPECT_EQ(reason_of_failure(hangs, 0.05), "has not ended in time");
}

}  // namespace
