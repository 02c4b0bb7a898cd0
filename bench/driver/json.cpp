#include "driver/report.hpp"
#include "driver/summary.hpp"

#include <utility>

namespace bench {
namespace {

nlohmann::json summary_json(const summary& s) {
    return {{"requests_per_second", s.requests_per_second},
            {"spread", s.spread},
            {"ratio", s.ratio},
            {"p50_us", s.p50_us},
            {"p99_us", s.p99_us},
            {"p99.9_us", s.p999_us},
            {"cpu_us_per_request", s.cpu_us},
            {"user_us_per_request", s.user_us},
            {"system_us_per_request", s.system_us},
            {"cpu_ratio", s.cpu_ratio},
            {"server_busy", s.server_busy},
            {"load_busy", s.load_busy},
            {"errors", s.errors}};
}

nlohmann::json peer_json(const peer_rounds& p, const peer_rounds& base) {
    nlohmann::json rounds = nlohmann::json::array();
    for (const measurement& m : p.rounds)
        rounds.push_back(m.raw);
    return {{"peer", p.peer}, {"summary", summary_json(summarise(p, base))}, {"rounds", rounds}};
}

nlohmann::json configuration_json(const configuration& c, nlohmann::json peers) {
    return {{"scenario", c.scenario},         {"about", find_scenario(c.scenario).about},
            {"payload", text_of(c.payload)},  {"payload_bytes", c.payload.size},
            {"connections", c.connections},   {"threads", c.threads},
            {"shares_cores", c.shares_cores}, {"peers", std::move(peers)}};
}

nlohmann::json result_json(const configuration_result& result) {
    nlohmann::json peers = nlohmann::json::array();
    for (const peer_rounds& p : result.peers)
        peers.push_back(peer_json(p, result.peers.front()));
    return configuration_json(result.config, std::move(peers));
}

}  // namespace

nlohmann::json list_json(const std::vector<configuration>& configurations, const std::vector<peer>& peers) {
    nlohmann::json document;
    document["program"] = "eddy-bench";
    document["configurations"] = nlohmann::json::array();
    for (const configuration& c : configurations) {
        nlohmann::json names = nlohmann::json::array();
        for (const peer& p : peers)
            if (find_command(p, c))
                names.push_back(p.name);
        document["configurations"].push_back(configuration_json(c, std::move(names)));
    }
    return document;
}

nlohmann::json to_json(const machine_description& machine, const driver_options& options,
                       const std::vector<configuration_result>& results) {
    nlohmann::json document;
    document["program"] = "eddy-bench";
    for (const auto& [name, text] : machine)
        document["machine"][name] = text;
    document["method"] = {{"rounds", options.repeat},
                          {"window_seconds", options.settings.seconds},
                          {"warmup_seconds", options.settings.warmup_seconds},
                          {"server_core", options.settings.server_core},
                          {"load_core", options.settings.load_core},
                          {"server_cores", options.settings.server_cores}};
    document["configurations"] = nlohmann::json::array();
    for (const configuration_result& result : results)
        document["configurations"].push_back(result_json(result));
    return document;
}

}  // namespace bench
