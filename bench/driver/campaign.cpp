#include "driver/campaign.hpp"

#include "driver/interrupt.hpp"

namespace bench {

configuration_result run_configuration(const configuration& c, const std::vector<peer>& peers, int repeat,
                                       const measurement_settings& settings,
                                       const std::filesystem::path& temporary) {
    configuration_result result{c, {}};
    std::vector<const peer*> able;
    for (const peer& p : peers) {
        if (!find_command(p, c))
            continue;
        able.push_back(&p);
        result.peers.push_back({p.name, {}});
    }
    for (int round = 0; round < repeat; ++round)
        for (std::size_t i = 0; i < able.size(); ++i) {
            check_interrupt();
            result.peers[i].rounds.push_back(measure(c, *able[i], settings, temporary));
        }
    return result;
}

}  // namespace bench
