#include "common/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <stdexcept>

namespace eddy::apps {

namespace {

void say(const CLI::App& options, std::string message) {
    std::replace(message.begin(), message.end(), '\n', ' ');
    fmt::print(stderr, "{}: {}\n", options.get_name(), message);
}

}  // namespace

int run_program(CLI::App& options, int count, char** arguments, const std::function<int()>& body) {
    try {
        options.parse(count, arguments);
    } catch (const CLI::Success& asked_for_help) {
        return options.exit(asked_for_help);
    } catch (const CLI::ParseError& error) {
        say(options, error.what());
        return misused;
    }
    try {
        return body();
    } catch (const std::invalid_argument& error) {
        say(options, error.what());
        return misused;
    } catch (const std::exception& error) {
        say(options, error.what());
        return failed;
    }
}

}  // namespace eddy::apps
