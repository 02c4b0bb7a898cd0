#include <eddy/runtime/stall_report.hpp>

#include <chrono>

namespace eddy {

std::string to_string(const stall_report& told) {
    const auto lasted_ms = std::chrono::duration_cast<std::chrono::milliseconds>(told.lasted).count();
    std::string text = "eddy: worker " + std::to_string(told.worker) + " has been held for " +
                       std::to_string(lasted_ms) + " ms by task " +
                       (told.task.empty() ? "(unnamed)" : told.task) + '\n';
    for (const std::string& place : told.backtrace)
        text += "  at " + place + '\n';
    return text;
}

}  // namespace eddy
