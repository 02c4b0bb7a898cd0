#pragma once

#include "contest/contest.hpp"

#include <functional>
#include <string>
#include <vector>

namespace bench {

// All rounds of one contender.
struct contender_rounds {
    std::string contender;
    std::vector<sample> rounds;
};

struct contest_result {
    const contest* held;
    std::vector<contender_rounds> contenders;  // in the contest's order
};

using measure_function = std::function<sample(const contest&, const contender&)>;

// Measures the contenders in turn (A B C A B C ...), `repeat` times, so that a machine that changes its speed
// changes it for all. The result refers to the contest.
contest_result hold(const contest& held, int repeat, const measure_function& measure);

// What the rounds of one contender come to.
struct contender_summary {
    double items_per_second, spread, ns_per_item, cpu_ns_per_item;
    double p50_ns, p90_ns, p99_ns, p999_ns;  // medians of the rounds'
    double largest_ns;                       // of all rounds
    double lost_share;
    double peak_bytes;
    // items_per_second (or a second of processor time, as the suite has it) to that of each base, the median
    // of the ratios within each round; 0 where the contest has no such contender.
    std::vector<double> ratios;
};

contender_summary summarise(const contest_result& result, const contender_rounds& rounds, const suite& of);

}  // namespace bench
