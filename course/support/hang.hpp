#pragma once

#include <string>

namespace course {

/// Says that the test hangs and why, where each coroutine that is alive waits, and what the test had noted by suspect();
/// then ends the program.
[[noreturn]] void report_hang(const std::string& reason);

}  // namespace course
