#include "contest/report.hpp"

namespace bench {
namespace {

nlohmann::json contender_json(const contest_result& result, const contender_rounds& one,
                              const std::vector<std::string>& bases) {
    const contender_summary s = summarise(result, one, bases);
    nlohmann::json summary = {{"items_per_second", s.items_per_second},
                              {"spread", s.spread},
                              {"ns_per_item", s.ns_per_item},
                              {"cpu_ns_per_item", s.cpu_ns_per_item}};
    for (std::size_t at = 0; at < bases.size(); ++at)
        if (s.ratios[at] != 0)
            summary["ratios"][bases[at]] = s.ratios[at];
    if (result.held->has_lateness)
        summary["late_us"] = {{"p50", s.late.p50_us}, {"p99", s.late.p99_us}, {"largest", s.late.largest_us}};
    nlohmann::json rounds = nlohmann::json::array();
    for (const sample& round : one.rounds)
        rounds.push_back(
            {{"items", round.items}, {"seconds", round.seconds}, {"cpu_seconds", round.cpu_seconds}});
    return {{"contender", one.contender}, {"summary", summary}, {"rounds", rounds}};
}

nlohmann::json contest_json(const contest_result& result, const std::vector<std::string>& bases) {
    nlohmann::json contenders = nlohmann::json::array();
    for (const contender_rounds& one : result.contenders)
        contenders.push_back(contender_json(result, one, bases));
    return {{"contest", result.held->name}, {"item", result.held->item}, {"contenders", contenders}};
}

}  // namespace

nlohmann::json to_json(const suite& measured, const machine_facts& machine, const contest_options& options,
                       const std::vector<contest_result>& results) {
    nlohmann::json document;
    document["program"] = measured.program;
    for (const auto& [name, text] : machine)
        document["machine"][name] = text;
    document["method"] = {{"rounds", options.repeat},
                          {"window_seconds", options.seconds},
                          {"warmup_seconds", options.warmup_seconds},
                          {"cores", options.cores}};
    document["contests"] = nlohmann::json::array();
    for (const contest_result& result : results)
        document["contests"].push_back(contest_json(result, measured.bases));
    return document;
}

}  // namespace bench
