#include <eddy/runtime/stall_report.hpp>

#include <chrono>

namespace eddy {

std::string to_string(const stall_report& report) {
    const auto lasted_ms = std::chrono::duration_cast<std::chrono::milliseconds>(report.lasted).count();
    std::string text = "eddy: worker " + std::to_string(report.worker) + " has been held for " +
                       std::to_string(lasted_ms) + " ms by task " +
                       (report.task.empty() ? "(unnamed)" : report.task);
    if (report.spawned.line() != 0)
        text += std::string(", spawned at ") + report.spawned.file_name() + ':' +
                std::to_string(report.spawned.line());
    text += '\n';
    for (const std::string& place : report.backtrace)
        text += "  at " + place + '\n';
    return text;
}

}  // namespace eddy
