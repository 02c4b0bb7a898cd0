#pragma once

#include <eddy/core/clock.hpp>

#include <cstddef>
#include <functional>
#include <source_location>
#include <string>
#include <vector>

namespace eddy {

/// A task that holds its worker for longer than runtime_options::stall_threshold(), so that nothing else runs
/// there: it computes, or calls something that blocks.
struct stall_report {
    std::size_t worker = 0;              ///< the index of the worker
    std::string task;                    ///< the name passed to spawn(); empty for none, or if no task runs
    std::source_location spawned;        ///< where it was spawned; line() is 0 if no task runs
    duration lasted{};                   ///< since when it was seen: at least that long, so far
    std::vector<std::string> backtrace;  ///< "function + 0x1f (file)", innermost first; empty if the
                                         ///< thread takes no signals
};

/// The report in lines of text, the last one ended as well.
[[nodiscard]] std::string to_string(const stall_report& report);

/// Is called with each report.
using stall_handler = std::function<void(const stall_report&)>;

}  // namespace eddy
