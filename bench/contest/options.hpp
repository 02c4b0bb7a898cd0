#pragma once

#include "contest/contest.hpp"

#include <string>
#include <vector>

namespace bench {

struct contest_options {
    bool list = false;
    std::vector<std::string> contests;    // parts of names; none: all
    std::vector<std::string> contenders;  // likewise
    bool exact = false;                   // they are whole names
    double seconds = 1;
    double warmup_seconds = 0.1;
    int repeat = 5;
    std::vector<int> cores;
    std::string json_file;
};

// Ends the program after --help; throws usage_error when the options are wrong.
contest_options parse_contest_options(const suite& measured, int argc, char** argv);

}  // namespace bench
