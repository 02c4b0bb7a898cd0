#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <string>

namespace eddy::apps {

/// Exit statuses of all programs.
enum exit_status : int {
    done = 0,
    failed = 1,  ///< the request could not be carried out
    misused = 2  ///< the command line is wrong
};

/// Reads the command line and runs the program. Errors become one line on standard error, which begins with
/// the program's name, and an exit status.
///
/// Before that it opens standard descriptors that are closed to /dev/null and ignores SIGPIPE, so that a line
/// that cannot be written costs that line only. Adds --version unless the program has one of its own.
int run_program(CLI::App& options, int count, char** arguments, const std::function<int()>& body);

}  // namespace eddy::apps
