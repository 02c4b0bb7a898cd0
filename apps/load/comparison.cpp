#include "load/comparison.hpp"

#include "load/load_summary.hpp"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

namespace eddy::apps {

namespace {

nlohmann::json read_run(const std::string& file) {
    std::ifstream from(file);
    if (!from)
        throw std::invalid_argument(file + ": cannot be read");
    nlohmann::json run = nlohmann::json::parse(from, nullptr, false);
    if (!run.is_object() || !run.contains("latency_us") || !run.contains("answers_per_s"))
        throw std::invalid_argument(file + ": is no result of eddy-load");
    return run;
}

std::string change_text(double before, double after) {
    constexpr double percent = 100;
    return before == 0 ? "" : fmt::format("{:+.1f} %", (after - before) / before * percent);
}

}  // namespace

std::string compare_runs(const std::string& first_file, const std::string& second_file) {
    const nlohmann::json first = read_run(first_file);
    const nlohmann::json second = read_run(second_file);
    std::string text = fmt::format("{:<14} {:>14} {:>14} {:>10}\n", "", "first", "second", "change");
    auto to = std::back_inserter(text);
    try {
        for (const char* name : {"answers_per_s", "answers", "failed"}) {
            const double before = first.at(name).get<double>();
            const double after = second.at(name).get<double>();
            fmt::format_to(to, "{:<14} {:>14.0f} {:>14.0f} {:>10}\n", name, before, after,
                           change_text(before, after));
        }
        for (const char* name : {"mean", "p50", "p90", "p99", "p99.9", "max"}) {
            const double before = first.at("latency_us").at(name).get<double>();
            const double after = second.at("latency_us").at(name).get<double>();
            fmt::format_to(to, "{:<14} {:>14} {:>14} {:>10}\n", std::string("latency ") + name,
                           time_text(before), time_text(after), change_text(before, after));
        }
    } catch (const nlohmann::json::exception& error) {
        throw std::invalid_argument(std::string("a result lacks what is compared: ") + error.what());
    }
    if (first.at("url") != second.at("url") || first.at("connections") != second.at("connections"))
        text += "The runs are not alike: their URLs or numbers of connections differ.\n";
    return text;
}

}  // namespace eddy::apps
