#pragma once

#include <CLI/CLI.hpp>

#include <functional>

namespace eddy::apps {

/// What a subcommand does, to be called when it was chosen. Returns an exit status.
using command = std::function<int()>;

// Each adds a subcommand with its options.
[[nodiscard]] command add_upstream_command(CLI::App& program);
[[nodiscard]] command add_serve_command(CLI::App& program);
[[nodiscard]] command add_load_command(CLI::App& program);

}  // namespace eddy::apps
