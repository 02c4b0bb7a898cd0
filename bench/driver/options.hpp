#pragma once

#include "driver/measurement.hpp"
#include "driver/scenario.hpp"

#include <string>
#include <vector>

namespace bench {

struct driver_options {
    bool list = false;
    std::vector<std::string> scenarios;
    std::vector<std::string> peers;
    selection only;
    int repeat = 5;
    std::string json_file;
    measurement_settings settings;
};

// Ends the program after --help; throws usage_error when the options are wrong.
driver_options parse_driver_options(int argc, char** argv);

}  // namespace bench
