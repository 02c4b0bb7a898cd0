#include "log.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace todo {

void log_line(std::string_view line) {
    fmt::print(stderr, "todo: {}\n", line);
}

}  // namespace todo
