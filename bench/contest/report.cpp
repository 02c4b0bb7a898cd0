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

// What only some contests ask for.
std::string extra_text(const contest& held, const contender_summary& s) {
    std::string text;
    if (s.p50_ns != 0)
        text += fmt::format("  {}p50 {:.2f}, p90 {:.2f}, p99 {:.2f}, p99.9 {:.2f}, largest {:.1f} µs",
                            held.times_are_late ? "late " : "", s.p50_ns * 1e-3, s.p90_ns * 1e-3,
                            s.p99_ns * 1e-3, s.p999_ns * 1e-3, s.largest_ns * 1e-3);
    if (s.lost_share != 0)
        text += fmt::format("  lost {:.4f}%", s.lost_share * 100);
    if (held.memory_matters)
        text += fmt::format("  peak {:.1f} MiB", s.peak_bytes / (1024 * 1024));
    return text;
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

void print_rows(const contest_result& result, const suite& of) {
    fmt::print("\n{}: {}; item: {}\n", result.held->name, result.held->about, result.held->item);
    for (const contender_rounds& one : result.contenders) {
        const contender_summary s = summarise(result, one, of);
        fmt::print("  {:<{}} {:>10.4g} {:>6.1f}% {:>11.1f} {:>11.1f}", one.contender, name_width - 2,
                   s.items_per_second * 1e-6, s.spread * 100, s.ns_per_item, s.cpu_ns_per_item);
        for (std::size_t at = 0; at < of.bases.size(); ++at)
            fmt::print("  {:>{}}", ratio_text(s.ratios[at]), base_head(of.bases[at]).size());
        fmt::print("{}\n", extra_text(*result.held, s));
    }
    std::fflush(stdout);
}

}  // namespace bench
