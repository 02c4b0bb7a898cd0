#include "httpd/live/live_feed.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/fs/whole_file.hpp>
#include <eddy/runtime/executor.hpp>
#include <eddy/runtime/ticker.hpp>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

namespace eddy::apps {

namespace {

constexpr auto sample_interval = std::chrono::milliseconds(500);
constexpr std::size_t recent_max = 240;

double seconds_of(duration length) {
    return std::chrono::duration<double>(length).count();
}

double microseconds_of(duration length) {
    return std::chrono::duration<double, std::micro>(length).count();
}

// Resident memory as the system counts it (proc(5), statm), 0 if that is not known.
task<std::uint64_t> memory_in_use() {
    const auto status = co_await as_result(fs::read_file("/proc/self/status"));
    if (!status.has_value())
        co_return 0;
    constexpr std::string_view label = "VmRSS:";
    const std::size_t at = status->find(label);
    if (at == std::string::npos)
        co_return 0;
    constexpr std::uint64_t kibibyte = 1024;
    co_return std::strtoull(status->c_str() + at + label.size(), nullptr, 10) * kibibyte;
}

nlohmann::json latency_of(const latency_histogram& all) {
    return {{"p50", microseconds_of(all.percentile(0.5))},
            {"p90", microseconds_of(all.percentile(0.9))},
            {"p99", microseconds_of(all.percentile(0.99))},
            {"p999", microseconds_of(all.percentile(0.999))},
            {"max", microseconds_of(all.largest())}};
}

}  // namespace

std::string live_news::history() const {
    std::string all = "{\"history\":[";
    for (const text& each : recent) {
        if (each != recent.front())
            all += ',';
        all += *each;
    }
    return all += "]}";
}

live_feed::live_feed(const runtime& served)
    : sources_(std::make_shared<std::vector<source>>(served.workers())),
      began_at_(std::chrono::steady_clock::now()) {}

task<> live_feed::run() {
    ticker ticks(sample_interval);
    time_point before = std::chrono::steady_clock::now();
    for (;;) {
        co_await ticks.next();
        const time_point now = std::chrono::steady_clock::now();
        tell(co_await take_sample(now - std::exchange(before, now)));
    }
}

task<std::string> live_feed::take_sample(duration since_last) {
    live_share all;
    nlohmann::json workers = nlohmann::json::array();
    const double seconds = seconds_of(since_last);
    for (std::size_t worker = 0; worker < sources_->size(); ++worker) {
        auto take = [sources = sources_, worker] {
            const source& from = (*sources)[worker];
            return from ? from() : live_share();
        };
        const live_share share = co_await on(worker, std::move(take));
        all.requests += share.requests;
        all.http2_requests += share.http2_requests;
        all.body_bytes += share.body_bytes;
        all.connections += share.connections;
        all.latency.add(share.latency);
        for (std::size_t digit = 0; digit < all.answers.size(); ++digit)
            all.answers[digit] += share.answers[digit];
        workers.push_back(seconds_of(share.busy) / seconds);
    }
    requests_ += all.requests;
    nlohmann::json answers;
    for (std::size_t digit = 1; digit < all.answers.size(); ++digit)
        answers[std::to_string(digit + 1) + "xx"] = static_cast<double>(all.answers[digit]) / seconds;
    const std::uint64_t memory_bytes = co_await memory_in_use();
    const nlohmann::json sample = {
        {"uptime_s", seconds_of(std::chrono::steady_clock::now() - began_at_)},
        {"requests", requests_},
        {"requests_per_s", static_cast<double>(all.requests) / seconds},
        {"http2_requests_per_s", static_cast<double>(all.http2_requests) / seconds},
        {"bytes_per_s", static_cast<double>(all.body_bytes) / seconds},
        {"latency_us", latency_of(all.latency)},
        {"connections", all.connections},
        {"workers", workers},
        {"memory_bytes", memory_bytes},
        {"answers_per_s", answers},
    };
    co_return sample.dump();
}

void live_feed::tell(std::string sample) {
    auto next = std::make_shared<live_news>();
    next->newest = std::make_shared<const std::string>(std::move(sample));
    const news_pointer before = news_.get();
    next->recent.reserve(recent_max);
    const std::size_t dropped = before->recent.size() == recent_max ? 1 : 0;
    next->recent.assign(before->recent.begin() + static_cast<std::ptrdiff_t>(dropped), before->recent.end());
    next->recent.push_back(next->newest);
    news_.set(std::move(next));
}

}  // namespace eddy::apps
