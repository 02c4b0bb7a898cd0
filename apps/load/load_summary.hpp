#pragma once

#include "load/load_result.hpp"

#include <eddy/core/clock.hpp>

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace eddy::apps {

/// A run and what came of it.
struct load_summary {
    std::string url;
    std::uint64_t connections = 0;
    std::size_t workers = 0;
    std::string backend;
    double rate = 0;  ///< that was wanted, a second; 0: none
    duration lasted{};
    load_result result;

    [[nodiscard]] double per_second(std::uint64_t count) const noexcept;
};

/// For people.
[[nodiscard]] std::string to_text(const load_summary& summary);

/// For programs, and for comparisons. Times in microseconds.
[[nodiscard]] nlohmann::json to_json(const load_summary& summary);

/// A duration with a fitting unit: "1.25 ms".
[[nodiscard]] std::string time_text(double us);

}  // namespace eddy::apps
