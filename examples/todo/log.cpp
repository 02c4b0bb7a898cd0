#include "log.hpp"

#include <eddy/io/standard_error.hpp>

#include <string>

namespace todo {

void log_line(std::string_view line) {
    eddy::io::write_standard_error("todo: " + std::string(line) + "\n");
}

}  // namespace todo
