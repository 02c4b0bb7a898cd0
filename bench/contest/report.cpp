#include "contest/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>

namespace bench {
namespace {

constexpr int name_width = 26;

std::string base_head(const std::string& base) {
    return "to " + base;
}

std::string ratio_text(double ratio) {
    return ratio == 0 ? "-" : fmt::format("{:.3f}", ratio);
}

}  // namespace

void print_contests(const std::vector<contest>& contests) {
    for (const contest& one : contests) {
        std::vector<std::string> names;
        for (const contender& c : one.contenders)
            names.push_back(c.name);
        fmt::print("{:<32} {}\n{:<32} {}\n", one.name, one.about, "", fmt::join(names, ", "));
    }
}

void print_head(const suite& measured, const machine_facts& machine, const contest_options& options) {
    for (const auto& [name, text] : machine)
        fmt::print("{:<22} {}\n", name, text);
    fmt::print("{:<22} {} rounds of {} s after {} s of warm-up, each in its own process; cores {}\n\n",
               "method", options.repeat, options.seconds, options.warmup_seconds,
               fmt::join(options.cores, ","));
    fmt::print("{:<{}} {:>10} {:>7} {:>11} {:>11}", "", name_width, "M/s", "spread", "ns/item", "CPU ns");
    for (const std::string& base : measured.bases)
        fmt::print("  {}", base_head(base));
    fmt::print("\n");
}

void print_rows(const contest_result& result, const std::vector<std::string>& bases) {
    fmt::print("\n{}: {}; item: {}\n", result.held->name, result.held->about, result.held->item);
    for (const contender_rounds& one : result.contenders) {
        const contender_summary s = summarise(result, one, bases);
        fmt::print("  {:<{}} {:>10.4g} {:>6.1f}% {:>11.1f} {:>11.1f}", one.contender, name_width - 2,
                   s.items_per_second * 1e-6, s.spread * 100, s.ns_per_item, s.cpu_ns_per_item);
        for (std::size_t at = 0; at < bases.size(); ++at)
            fmt::print("  {:>{}}", ratio_text(s.ratios[at]), base_head(bases[at]).size());
        if (result.held->has_lateness)
            fmt::print("  late p50 {:.1f}, p99 {:.1f}, largest {:.1f} us", s.late.p50_us, s.late.p99_us,
                       s.late.largest_us);
        fmt::print("\n");
    }
    std::fflush(stdout);
}

}  // namespace bench
