#include "contest/rounds.hpp"

#include "driver/statistics.hpp"

#include <algorithm>

namespace bench {
namespace {

std::vector<double> collect(const contender_rounds& rounds, double (sample::*figure)() const) {
    std::vector<double> values;
    for (const sample& one : rounds.rounds)
        values.push_back((one.*figure)());
    return values;
}

lateness summarise_lateness(const contender_rounds& rounds) {
    std::vector<double> p50, p99;
    lateness summary;
    for (const sample& one : rounds.rounds) {
        p50.push_back(one.late.p50_us);
        p99.push_back(one.late.p99_us);
        summary.largest_us = std::max(summary.largest_us, one.late.largest_us);
    }
    summary.p50_us = median(p50);
    summary.p99_us = median(p99);
    return summary;
}

}  // namespace

contest_result hold(const contest& held, int repeat, const measure_function& measure) {
    contest_result result{&held, {}};
    for (const contender& one : held.contenders)
        result.contenders.push_back({one.name, {}});
    for (int round = 0; round < repeat; ++round)
        for (std::size_t at = 0; at < held.contenders.size(); ++at)
            result.contenders[at].rounds.push_back(measure(held, held.contenders[at]));
    return result;
}

contender_summary summarise(const contest_result& result, const contender_rounds& rounds,
                            const std::vector<std::string>& bases) {
    const std::vector<double> rates = collect(rounds, &sample::items_per_second);
    contender_summary summary{.items_per_second = median(rates),
                              .spread = spread(rates),
                              .ns_per_item = median(collect(rounds, &sample::ns_per_item)),
                              .cpu_ns_per_item = median(collect(rounds, &sample::cpu_ns_per_item)),
                              .ratios = {},
                              .late = summarise_lateness(rounds)};
    for (const std::string& name : bases) {
        const auto base = std::ranges::find(result.contenders, name, &contender_rounds::contender);
        summary.ratios.push_back(base == result.contenders.end()
                                     ? 0
                                     : median_ratio(rates, collect(*base, &sample::items_per_second)));
    }
    return summary;
}

}  // namespace bench
