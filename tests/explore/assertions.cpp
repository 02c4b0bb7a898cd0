#include "explore/explorer.hpp"

#include <eddy/detail/assert.hpp>

#include <string>

// In place of the library's: what would end the program ends the run, with a report.

namespace eddy::detail {

void assertion_failed(const char* message, const char* file, int line) noexcept {
    const std::string text = file;
    explore::fail(text.substr(text.rfind('/') + 1) + ":" + std::to_string(line) + ": " + message);
}

void fatal(const char* message, const char* detail) noexcept {
    explore::fail(detail != nullptr ? std::string(message) + ": " + detail : message);
}

}  // namespace eddy::detail
