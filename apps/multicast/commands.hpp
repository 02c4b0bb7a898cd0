#pragma once

#include <CLI/CLI.hpp>

#include <functional>

namespace eddy::apps {

/// Carries out a subcommand. Returns the exit status.
using command = std::function<int()>;

/// Each adds a subcommand to the program.
[[nodiscard]] command add_send_command(CLI::App& program);
[[nodiscard]] command add_receive_command(CLI::App& program);
[[nodiscard]] command add_interfaces_command(CLI::App& program);

}  // namespace eddy::apps
