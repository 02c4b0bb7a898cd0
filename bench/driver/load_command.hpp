#pragma once

#include "driver/measurement.hpp"

#include <string>
#include <sys/types.h>
#include <vector>

namespace bench {

// The command that loads a server with what the configuration says and reads the CPU time of `server`, its
// processes.
std::vector<std::string> load_arguments(const configuration& c, const measurement_settings& settings,
                                        const server_place& place, const std::vector<pid_t>& server);

// What a server of this service answers to with at least one byte, or by ending the connection.
std::string first_request(service s);

}  // namespace bench
