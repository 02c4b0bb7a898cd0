#pragma once

#include "contest/sample.hpp"

#include <functional>
#include <string>
#include <vector>

namespace bench {

// One way of doing what a contest is about.
struct contender {
    std::string name;
    // Does it for that many seconds. Throws failure when the work was not done as it should be.
    std::function<sample(double seconds)> measure;
    bool warms_up_itself = false;  // a program of its own, say, which keeps nothing for its next call
};

// The same work done in several ways.
struct contest {
    std::string name;
    std::string about;
    std::string item;  // what is counted, in the singular
    bool is_single_threaded = false;
    bool memory_matters = false;  // its table shows how much was resident at most
    bool times_are_late = false;  // its items' times are by how much they came too late
    std::vector<contender> contenders;
};

// What a program measures.
struct suite {
    std::string program;
    std::string about;
    // Ratios are to these contenders, in the contests that have them.
    std::vector<std::string> bases;
    // They compare processor time rather than wall clock: for contenders that have one thread and never idle
    // the two are the same, but for what else runs on the machine.
    bool compares_cpu_time = false;
    std::vector<contest> contests;
};

}  // namespace bench
