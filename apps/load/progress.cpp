#include "load/progress.hpp"

#include <eddy/io/standard_error.hpp>
#include <eddy/os/terminal.hpp>
#include <eddy/runtime/ticker.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <utility>

namespace eddy::apps {

namespace {

constexpr auto interval = std::chrono::milliseconds(200);
constexpr int standard_error = 2;
constexpr double interval_s = 0.2;
constexpr std::size_t bar_width = 30;

class cleared_line {
public:
    cleared_line() = default;
    cleared_line(const cleared_line&) = delete;
    cleared_line& operator=(const cleared_line&) = delete;
    ~cleared_line() { io::write_standard_error("\r\x1b[K"); }
};

}  // namespace

task<> show_progress(const load_options& options, const load_counts& counts) {
    if (options.is_quiet || !is_terminal(standard_error))
        co_return;
    const cleared_line ended;
    const time_point began = std::chrono::steady_clock::now();
    std::uint64_t before = 0;
    ticker ticks(interval);
    for (;;) {
        co_await ticks.next();
        const std::uint64_t answered = counts.answered.load(std::memory_order_relaxed);
        const std::uint64_t failed = counts.failed.load(std::memory_order_relaxed);
        const double passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        const double share = options.requests != 0 ? static_cast<double>(answered + failed) /
                                                         static_cast<double>(options.requests)
                                                   : passed / options.seconds;
        const auto filled = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * bar_width);
        io::write_standard_error(fmt::format(
            "\r\x1b[K[{:<30}] {:.1f} s  {:.0f}/s  {} answered, {} failed", std::string(filled, '#'), passed,
            static_cast<double>(answered - std::exchange(before, answered)) / interval_s, answered, failed));
    }
}

}  // namespace eddy::apps
