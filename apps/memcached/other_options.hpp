#pragma once

#include <CLI/CLI.hpp>

namespace eddy::apps::memcached {

/// The options of memcached(1) that change nothing here, which are accepted so that scripts may keep passing
/// them, and those that would change what clients see, which are refused by their name.
void add_other_options(CLI::App& program);

}  // namespace eddy::apps::memcached
