#include "load/load_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <nlohmann/json.hpp>
#include <vector>

namespace eddy::apps {

namespace {

constexpr std::array shares = {0.5, 0.75, 0.9, 0.99, 0.999, 0.9999};

double microseconds_of(duration length) {
    return std::chrono::duration<double, std::micro>(length).count();
}

std::string share_text(double share) {
    constexpr double percent = 100;
    return fmt::format("{:g} %", share * percent);
}

// The bounds of the bars: 1, 2 and 5 times each power of ten that lies between the smallest and the largest.
std::vector<duration> bounds_of(const latency_histogram& all) {
    std::vector<duration> bounds;
    for (duration::rep power = 1000; power < duration::max().count() / 10; power *= 10) {
        for (const duration::rep factor : {1, 2, 5}) {
            const duration bound(power * factor);
            if (bound > all.smallest())
                bounds.push_back(bound);
            if (bound > all.largest())
                return bounds;
        }
    }
    return bounds;
}

void add_bars(std::string& text, const latency_histogram& all) {
    constexpr std::size_t width = 40;
    std::uint64_t below = 0;
    for (const duration bound : bounds_of(all)) {
        const std::uint64_t now = all.count_below(bound);
        const std::uint64_t here = now - std::exchange(below, now);
        const auto length = static_cast<std::size_t>(
            static_cast<double>(here) / static_cast<double>(all.count()) * static_cast<double>(width));
        fmt::format_to(std::back_inserter(text), "    < {:>8}  {:<40} {}\n",
                       time_text(microseconds_of(bound)),
                       std::string(here == 0 ? 0 : std::max<std::size_t>(length, 1), '#'), here);
    }
}

void add_latency(std::string& text, std::string_view name, const latency_histogram& all) {
    constexpr double us = 1000;
    auto to = std::back_inserter(text);
    fmt::format_to(to, "  {:<12} mean {}, deviation {}, smallest {}, largest {}\n   ", name,
                   time_text(all.mean_ns() / us), time_text(all.deviation_ns() / us),
                   time_text(microseconds_of(all.smallest())), time_text(microseconds_of(all.largest())));
    for (const double share : shares)
        fmt::format_to(to, " {}: {} ", share_text(share), time_text(microseconds_of(all.percentile(share))));
    text += '\n';
}

std::string bytes_text(double bytes) {
    constexpr double step = 1024;
    for (const char* unit : {"B", "KiB", "MiB"}) {
        if (bytes < step)
            return fmt::format("{:.1f} {}", bytes, unit);
        bytes /= step;
    }
    return fmt::format("{:.1f} GiB", bytes);
}

nlohmann::json latency_json(const latency_histogram& all) {
    constexpr double us = 1000;
    nlohmann::json reported = {{"mean", all.mean_ns() / us},
                               {"deviation", all.deviation_ns() / us},
                               {"min", microseconds_of(all.smallest())},
                               {"max", microseconds_of(all.largest())}};
    for (const double share : shares)
        reported[fmt::format("p{:g}", share * 100)] = microseconds_of(all.percentile(share));
    std::uint64_t below = 0;
    nlohmann::json bars = nlohmann::json::array();
    for (const duration bound : all.count() == 0 ? std::vector<duration>() : bounds_of(all)) {
        const std::uint64_t now = all.count_below(bound);
        bars.push_back({{"below", microseconds_of(bound)}, {"count", now - std::exchange(below, now)}});
    }
    reported["histogram"] = std::move(bars);
    return reported;
}

}  // namespace

std::string time_text(double us) {
    constexpr double step = 1000;
    if (us < step)
        return fmt::format("{:.3g} us", us);
    if (us < step * step)
        return fmt::format("{:.3g} ms", us / step);
    return fmt::format("{:.4g} s", us / step / step);
}

double load_summary::per_second(std::uint64_t count) const noexcept {
    const double seconds = std::chrono::duration<double>(lasted).count();
    return seconds > 0 ? static_cast<double>(count) / seconds : 0;
}

std::string to_text(const load_summary& summary) {
    const load_result& all = summary.result;
    std::string text = fmt::format("{}: {} connections, {} worker{}, {}\n", summary.url, summary.connections,
                                   summary.workers, summary.workers == 1 ? "" : "s", summary.backend);
    auto to = std::back_inserter(text);
    fmt::format_to(to, "  answers      {} in {:.2f} s: {:.0f}/s", all.answered,
                   std::chrono::duration<double>(summary.lasted).count(), summary.per_second(all.answered));
    if (summary.rate > 0)
        fmt::format_to(to, " of {:g}/s wanted", summary.rate);
    fmt::format_to(to, ", received {}/s, sent {}/s\n", bytes_text(summary.per_second(all.received_bytes)),
                   bytes_text(summary.per_second(all.sent_bytes)));
    add_latency(text, "latency", all.latency);
    if (summary.rate > 0)
        add_latency(text, "service time", all.service_time);
    if (all.latency.count() != 0)
        add_bars(text, all.latency);
    if (all.unanswered != 0)
        fmt::format_to(to, "  unanswered   {} that were due before the end\n", all.unanswered);
    for (const auto& [status, count] : all.statuses)
        fmt::format_to(to, "  status {}   {}\n", status, count);
    for (const auto& [error, count] : all.errors)
        fmt::format_to(to, "  failed       {}: {}\n", count, error);
    return text;
}

nlohmann::json to_json(const load_summary& summary) {
    const load_result& all = summary.result;
    nlohmann::json statuses = nlohmann::json::object();
    for (const auto& [status, count] : all.statuses)
        statuses[std::to_string(status)] = count;
    nlohmann::json document = {{"url", summary.url},
                               {"connections", summary.connections},
                               {"workers", summary.workers},
                               {"backend", summary.backend},
                               {"rate", summary.rate},
                               {"seconds", std::chrono::duration<double>(summary.lasted).count()},
                               {"answers", all.answered},
                               {"answers_per_s", summary.per_second(all.answered)},
                               {"received_bytes", all.received_bytes},
                               {"sent_bytes", all.sent_bytes},
                               {"connections_made", all.connections_made},
                               {"statuses", statuses},
                               {"failed", all.failed()},
                               {"unanswered", all.unanswered},
                               {"errors", all.errors},
                               {"latency_us", latency_json(all.latency)}};
    if (summary.rate > 0)
        document["service_time_us"] = latency_json(all.service_time);
    return document;
}

}  // namespace eddy::apps
