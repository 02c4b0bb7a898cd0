#include "common/log.hpp"

#include <eddy/io/standard_error.hpp>

#include <algorithm>
#include <new>
#include <string>

namespace eddy::apps {

namespace {

std::string& log_prefix() {
    static std::string prefix;
    return prefix;
}

}  // namespace

void set_log_name(std::string_view name) {
    log_prefix() = std::string(name) + ": ";
}

void log_line(std::string_view text) noexcept {
    try {
        std::string line = log_prefix();
        line += text;
        std::ranges::replace(line, '\n', ' ');
        line += '\n';
        io::write_standard_error(line);
    } catch (const std::bad_alloc&) {
        io::write_standard_error("a line was lost, since memory is short\n");
    }
}

}  // namespace eddy::apps
