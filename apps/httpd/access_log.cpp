#include "httpd/access_log.hpp"

#include <eddy/http/status.hpp>
#include <eddy/runtime/sleep.hpp>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <iterator>

namespace eddy::apps {

namespace {

constexpr auto flush_interval = std::chrono::milliseconds(200);
constexpr std::size_t lines_bytes_max = 64 * 1024;

}  // namespace

void access_log::note(const http::exchange& answered) {
    // The method and the target consist of visible ASCII (the parser refuses all else), so no line can be
    // forged.
    const std::chrono::sys_seconds when{std::chrono::seconds(answered.unix_seconds())};
    fmt::format_to(std::back_inserter(lines_), "{:%Y-%m-%dT%H:%M:%S}Z {} {} {} {}\n",
                   fmt::gmtime(std::chrono::system_clock::to_time_t(when)), answered.request().method_name(),
                   answered.request().target(), http::to_number(answered.answered_status()),
                   answered.body_bytes());
    if (lines_.size() >= lines_bytes_max)
        flush();
}

task<> access_log::keep_flushing() {
    for (;;) {
        co_await sleep_for(flush_interval);
        flush();
    }
}

void access_log::flush() noexcept {
    std::fwrite(lines_.data(), 1, lines_.size(), stdout);
    std::fflush(stdout);
    lines_.clear();
}

}  // namespace eddy::apps
