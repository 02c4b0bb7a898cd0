#pragma once

#include <eddy/core/clock.hpp>

#include <CLI/CLI.hpp>

#include <string>

namespace eddy::apps {

/// Adds an option that is a number of microseconds, from `shortest` to an hour. Refers to `length`.
void add_us(CLI::App& options, const std::string& name, duration& length, const std::string& text,
            duration shortest = {});

}  // namespace eddy::apps
