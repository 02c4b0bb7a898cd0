#include "driver/summary.hpp"

#include "driver/statistics.hpp"

namespace bench {
namespace {

std::vector<double> collect(const peer_rounds& p, double measurement::* field) {
    std::vector<double> values;
    for (const measurement& m : p.rounds)
        values.push_back(m.*field);
    return values;
}

}  // namespace

summary summarise(const peer_rounds& p, const peer_rounds& base) {
    const auto middle = [&](double measurement::* field) { return median(collect(p, field)); };
    const auto ratio = [&](double measurement::* field) {
        return median_ratio(collect(p, field), collect(base, field));
    };
    std::uint64_t errors = 0;
    for (const measurement& m : p.rounds)
        errors += m.errors;
    return {.requests_per_second = middle(&measurement::requests_per_second),
            .spread = spread(collect(p, &measurement::requests_per_second)),
            .ratio = ratio(&measurement::requests_per_second),
            .p50_us = middle(&measurement::p50_us),
            .p99_us = middle(&measurement::p99_us),
            .p999_us = middle(&measurement::p999_us),
            .cpu_us = middle(&measurement::cpu_us),
            .user_us = middle(&measurement::user_us),
            .system_us = middle(&measurement::system_us),
            .cpu_ratio = ratio(&measurement::cpu_us),
            .server_busy = middle(&measurement::server_busy),
            .load_busy = middle(&measurement::load_busy),
            .errors = errors};
}

}  // namespace bench
