#pragma once

#include <string>

namespace eddy::apps {

/// Compares two runs by what they wrote with --json, as a table with the change from the first to the
/// second. Throws std::invalid_argument for a file that is none of these.
[[nodiscard]] std::string compare_runs(const std::string& first_file, const std::string& second_file);

}  // namespace eddy::apps
