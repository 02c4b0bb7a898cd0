#include "common/program.hpp"

#include "common/log.hpp"
#include "common/print.hpp"
#include "common/version.hpp"

#include <eddy/io/standard_error.hpp>

#include <csignal>
#include <exception>
#include <sstream>
#include <stdexcept>
#include <string>

namespace eddy::apps {

namespace {

int parse_and_run(CLI::App& options, int count, char** arguments, const std::function<int()>& body) {
    try {
        options.parse(count, arguments);
    } catch (const CLI::Success& asked_for_text) {
        std::ostringstream text;
        const int status = options.exit(asked_for_text, text, text);
        print_text(text.str());
        return status;
    }
    return body();
}

}  // namespace

int run_program(CLI::App& options, int count, char** arguments, const std::function<int()>& body) {
    io::open_standard_descriptors();
    std::signal(SIGPIPE, SIG_IGN);
    set_log_name(options.get_name());
    if (options.get_version_ptr() == nullptr)
        options.set_version_flag("--version", options.get_name() + " " + std::string(version));
    try {
        return parse_and_run(options, count, arguments, body);
    } catch (const CLI::ParseError& error) {
        log_line(error.what());
        return misused;
    } catch (const std::invalid_argument& error) {
        log_line(error.what());
        return misused;
    } catch (const std::exception& error) {
        log_line(error.what());
        return failed;
    }
}

}  // namespace eddy::apps
