#pragma once

#include "driver/peer.hpp"

#include <string>
#include <vector>

namespace bench {

// Writes a configuration into the temporary directory and returns the command that runs nginx with it in the
// foreground, set up for this service. bench/README.md says why each setting is as it is.
// Requires: certificates are made, where the service needs one.
std::vector<std::string> nginx_arguments(const server_place& place, service s, bool caches_open_files);

}  // namespace bench
