#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <string>

namespace eddy::apps {

/// Exit statuses of all programs.
enum exit_status : int {
    done = 0,
    failed = 1,  ///< what was asked could not be done
    misused = 2  ///< the command line is wrong
};

/// Reads the command line and runs the program. Errors become one line on standard error, which begins with
/// the program's name, and an exit status.
int run_program(CLI::App& options, int count, char** arguments, const std::function<int()>& body);

}  // namespace eddy::apps
