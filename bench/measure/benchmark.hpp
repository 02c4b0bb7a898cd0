#pragma once

#include "measure/sample.hpp"

#include <functional>
#include <string>
#include <vector>

namespace bench {

// One way of doing what a benchmark is about.
struct subject {
    std::string name;
    // Does it for that many seconds. Throws failure when the work was not done as it should be.
    std::function<sample(double seconds)> measure;
};

// The same work done by several subjects.
struct benchmark {
    std::string name;
    std::string about;
    std::string item;  // what is counted, in the singular
    bool is_single_threaded = false;
    bool times_are_late = false;  // its items' times are by how much they came too late
    std::vector<subject> subjects;
};

enum class compared { wall_clock, cpu_time };

// What a program measures. For subjects that have one thread and never idle both are the same, but for what
// else runs on the machine.
struct benchmarks {
    compared by;
    std::vector<benchmark> all;
};

// Each program of bench/ that links bench_measure defines it.
benchmarks measured_benchmarks();

}  // namespace bench
