// Measures one of its benchmarks by one subject, once, and prints the sample as JSON; bench/suite/run.py makes
// rounds of that.
//   eddy-bench-sync --list
//   eddy-bench-sync mutex/100 tasks_eddy --seconds 1 --warmup 0.1
#include "measure/benchmark.hpp"
#include "measure/json.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>

namespace {

using namespace bench;

nlohmann::json list(const benchmarks& there) {
    nlohmann::json listed{{"compares", there.by == compared::cpu_time ? "cpu_time" : "wall_clock"}};
    for (const benchmark& each : there.all) {
        nlohmann::json subjects = nlohmann::json::array();
        for (const subject& one : each.subjects)
            subjects.push_back(one.name);
        listed["benchmarks"].push_back({{"name", each.name},
                                        {"about", each.about},
                                        {"item", each.item},
                                        {"is_single_threaded", each.is_single_threaded},
                                        {"times_are_late", each.times_are_late},
                                        {"subjects", subjects}});
    }
    return listed;
}

template <class T>
const T& find(const std::vector<T>& among, const std::string& name) {
    const auto found = std::ranges::find(among, name, &T::name);
    if (found == among.end())
        throw failure("there is no " + name + "; --list shows what there is");
    return *found;
}

// The most that was resident since the program was started. What getrusage(2) tells counts who started it, too.
std::uint64_t peak_memory_bytes() {
    std::ifstream status("/proc/self/status");
    std::uint64_t kib = 0;
    for (std::string word; status >> word;)
        if (word == "VmHWM:")
            status >> kib;
    return kib * 1024;
}

nlohmann::json measure(const subject& one, double seconds, double warmup_seconds) {
    if (warmup_seconds > 0)
        one.measure(warmup_seconds);
    const sample result = one.measure(seconds);
    nlohmann::json json{{"items", result.items},
                        {"seconds", result.seconds},
                        {"cpu_seconds", result.cpu_seconds},
                        {"lost", result.lost},
                        {"peak_memory_bytes", peak_memory_bytes()}};
    if (result.times)
        json["times_ns"] = times_json(*result.times);
    return json;
}

}  // namespace

int main(int argc, char** argv) {
    bool only_lists = false;
    std::string name, subject_name;
    double seconds = 1, warmup_seconds = 0;
    CLI::App app("Measures one benchmark by one subject and prints the sample.");
    app.add_flag("--list", only_lists, "show what there is, measure nothing");
    app.add_option("benchmark", name);
    app.add_option("subject", subject_name);
    app.add_option("--seconds", seconds, "the measured window");
    app.add_option("--warmup", warmup_seconds, "seconds before it");
    CLI11_PARSE(app, argc, argv);
    try {
        const benchmarks there = measured_benchmarks();
        std::cout << (only_lists ? list(there)
                                 : measure(find(find(there.all, name).subjects, subject_name), seconds,
                                           warmup_seconds))
                  << '\n';
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
