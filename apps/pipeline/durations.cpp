#include "pipeline/durations.hpp"

#include <chrono>
#include <cstdint>

namespace eddy::apps {

void add_us(CLI::App& options, const std::string& name, duration& length, const std::string& text,
            duration shortest) {
    using std::chrono::microseconds;
    constexpr microseconds longest = std::chrono::hours(1);
    const auto in_us = [](duration given) { return std::chrono::duration_cast<microseconds>(given).count(); };
    options
        .add_option_function<std::int64_t>(
            name, [&length](std::int64_t count) { length = microseconds(count); }, text)
        ->check(CLI::Range(std::int64_t{in_us(shortest)}, std::int64_t{longest.count()}))
        ->default_str(std::to_string(in_us(length)));
}

}  // namespace eddy::apps
