#include "driver/report.hpp"

#include "driver/summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>

namespace bench {

void print_list() {
    fmt::print("scenarios\n");
    for (const scenario& s : all_scenarios()) {
        std::vector<std::string> sizes;
        for (const payload& p : s.payloads)
            sizes.push_back(text_of(p));
        fmt::print("  {:<16} {}\n  {:<16} payloads {}; connections {}", s.name, s.about, "",
                   fmt::join(sizes, ", "), fmt::join(s.connections, ", "));
        fmt::print("{}{}\n", s.threads.empty() ? "" : "; threads ", fmt::join(s.threads, ", "));
    }
    fmt::print("peers\n");
    for (const peer& p : all_peers())
        fmt::print("  {:<16} {}\n", p.name, p.about);
}

void print_head(const machine_description& machine, const driver_options& options) {
    for (const auto& [name, text] : machine)
        fmt::print("{:<22} {}\n", name, text);
    const measurement_settings& settings = options.settings;
    fmt::print(
        "{:<22} {} rounds of {} s after {} s of warm-up; server on core {}, load on core {}; with several "
        "threads both on cores {}\n",
        "method", options.repeat, settings.seconds, settings.warmup_seconds, settings.server_core,
        settings.load_core, fmt::join(settings.server_cores, ", "));
}

void print_table(const configuration_result& result) {
    fmt::print("\n{}\n", text_of(result.config));
    fmt::print("{:<16} {:>9} {:>6} {:>6} | {:>8} {:>8} {:>8} | {:>7} {:>6} {:>6} {:>6} | {:>6} {:>6} {:>6}\n",
               "peer", "req/s", "spread", "ratio", "p50 µs", "p99 µs", "p99.9 µs", "CPU µs", "user", "sys",
               "ratio", "busy", "load", "errors");
    for (const peer_rounds& p : result.peers) {
        const summary s = summarise(p, result.peers.front());
        fmt::print(
            "{:<16} {:>9.0f} {:>5.1f}% {:>6.3f} | {:>8.1f} {:>8.1f} {:>8.1f} | {:>7.2f} {:>6.2f} {:>6.2f} "
            "{:>6.3f} | {:>5.0f}% {:>5.0f}% {:>6}\n",
            p.peer, s.requests_per_second, s.spread * 100, s.ratio, s.p50_us, s.p99_us, s.p999_us, s.cpu_us,
            s.user_us, s.system_us, s.cpu_ratio, s.server_busy * 100, s.load_busy * 100, s.errors);
    }
    std::fflush(stdout);
}

}  // namespace bench
