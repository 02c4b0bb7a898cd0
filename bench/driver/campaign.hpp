#pragma once

#include "driver/measurement.hpp"
#include "driver/peer.hpp"
#include "driver/scenario.hpp"

#include <functional>
#include <string>
#include <vector>

namespace bench {

// All rounds of one peer under one configuration.
struct peer_rounds {
    std::string peer;
    std::vector<measurement> rounds;
};

struct configuration_result {
    configuration config;
    std::vector<peer_rounds> peers;  // in the order asked for; the first is the base of the ratios
};

// Measures the peers in turn (A B C A B C ...), `repeat` times, so that a machine that changes its speed
// changes it for all. Peers that do not offer the service are left out.
configuration_result run_configuration(const configuration& c, const std::vector<peer>& peers, int repeat,
                                       const measurement_settings& settings,
                                       const std::filesystem::path& temporary);

}  // namespace bench
