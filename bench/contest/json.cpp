#include "contest/report.hpp"

namespace bench {
namespace {

// Percentiles of one round, of all rounds or of their medians.
nlohmann::json times_json(double p50, double p90, double p99, double p999, double largest) {
    return {{"p50", p50}, {"p90", p90}, {"p99", p99}, {"p99.9", p999}, {"largest", largest}};
}

nlohmann::json round_json(const sample& round, const char* times_name) {
    nlohmann::json json = {{"items", round.items},
                           {"seconds", round.seconds},
                           {"cpu_seconds", round.cpu_seconds},
                           {"peak_memory_bytes", round.peak_memory_bytes}};
    if (round.lost != 0)
        json["lost"] = round.lost;
    if (const item_times& times = round.times; times.p50_ns != 0)
        json[times_name] =
            times_json(times.p50_ns, times.p90_ns, times.p99_ns, times.p999_ns, times.largest_ns);
    return json;
}

nlohmann::json contender_json(const contest_result& result, const contender_rounds& one, const suite& of) {
    const contender_summary s = summarise(result, one, of);
    nlohmann::json summary = {{"items_per_second", s.items_per_second},
                              {"spread", s.spread},
                              {"ns_per_item", s.ns_per_item},
                              {"cpu_ns_per_item", s.cpu_ns_per_item},
                              {"peak_memory_bytes", s.peak_bytes}};
    const char* const times_name = result.held->times_are_late ? "late_ns" : "times_ns";
    if (s.p50_ns != 0)
        summary[times_name] = times_json(s.p50_ns, s.p90_ns, s.p99_ns, s.p999_ns, s.largest_ns);
    if (s.lost_share != 0)
        summary["lost_share"] = s.lost_share;
    for (std::size_t at = 0; at < of.bases.size(); ++at)
        if (s.ratios[at] != 0)
            summary["ratios"][of.bases[at]] = s.ratios[at];
    nlohmann::json rounds = nlohmann::json::array();
    for (const sample& round : one.rounds)
        rounds.push_back(round_json(round, times_name));
    return {{"contender", one.contender}, {"summary", summary}, {"rounds", rounds}};
}

nlohmann::json contest_json(const contest_result& result, const suite& of) {
    nlohmann::json contenders = nlohmann::json::array();
    for (const contender_rounds& one : result.contenders)
        contenders.push_back(contender_json(result, one, of));
    return {{"contest", result.held->name},
            {"about", result.held->about},
            {"item", result.held->item},
            {"compares", of.compares_cpu_time ? "cpu_time" : "wall_clock"},
            {"contenders", contenders}};
}

}  // namespace

nlohmann::json list_json(const suite& measured, const std::vector<contest>& contests) {
    nlohmann::json document{{"program", measured.program}, {"contests", nlohmann::json::array()}};
    for (const contest& one : contests) {
        nlohmann::json names = nlohmann::json::array();
        for (const contender& c : one.contenders)
            names.push_back(c.name);
        document["contests"].push_back({{"contest", one.name}, {"about", one.about}, {"contenders", names}});
    }
    return document;
}

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
        document["contests"].push_back(contest_json(result, measured));
    return document;
}

}  // namespace bench
