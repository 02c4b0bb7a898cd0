#pragma once

#include <string_view>

namespace todo {

/// Writes a line to standard error.
void log_line(std::string_view line);

}  // namespace todo
