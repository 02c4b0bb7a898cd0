#include "contest/rounds.hpp"

#include "driver/statistics.hpp"

#include <algorithm>
#include <ranges>

namespace bench {
namespace {

std::vector<double> collect(const contender_rounds& rounds, double (sample::*figure)() const) {
    std::vector<double> values;
    for (const sample& one : rounds.rounds)
        values.push_back((one.*figure)());
    return values;
}

double largest_of(const contender_rounds& rounds) {
    const auto by_largest = [](const sample& one) { return one.times.largest_ns; };
    return std::ranges::max(rounds.rounds | std::views::transform(by_largest));
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

contender_summary summarise(const contest_result& result, const contender_rounds& rounds, const suite& of) {
    const std::vector<double> rates = collect(rounds, &sample::items_per_second);
    contender_summary summary{.items_per_second = median(rates),
                              .spread = spread(rates),
                              .ns_per_item = median(collect(rounds, &sample::ns_per_item)),
                              .cpu_ns_per_item = median(collect(rounds, &sample::cpu_ns_per_item)),
                              .p50_ns = median(collect(rounds, &sample::p50_ns)),
                              .p90_ns = median(collect(rounds, &sample::p90_ns)),
                              .p99_ns = median(collect(rounds, &sample::p99_ns)),
                              .p999_ns = median(collect(rounds, &sample::p999_ns)),
                              .largest_ns = largest_of(rounds),
                              .lost_share = median(collect(rounds, &sample::lost_share)),
                              .peak_bytes = median(collect(rounds, &sample::peak_bytes)),
                              .ratios = {}};
    const auto compared = of.compares_cpu_time ? &sample::items_per_cpu_second : &sample::items_per_second;
    for (const std::string& name : of.bases) {
        const auto base = std::ranges::find(result.contenders, name, &contender_rounds::contender);
        summary.ratios.push_back(base == result.contenders.end()
                                     ? 0
                                     : median_ratio(collect(rounds, compared), collect(*base, compared)));
    }
    return summary;
}

}  // namespace bench
