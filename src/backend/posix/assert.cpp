#include <eddy/detail/assert.hpp>
#include <eddy/io/standard_error.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace eddy::detail {

namespace {

// Longer lines are cut.
using line_buffer = std::array<char, 4096>;

[[noreturn]] void say_and_abort(line_buffer& line, int length) noexcept {
    const auto size = std::min(static_cast<std::size_t>(std::max(length, 0)), line.size() - 1);
    line[size] = '\n';
    io::write_standard_error(std::string_view(line.data(), size + 1));
    std::abort();
}

}  // namespace

void assertion_failed(const char* message, const char* file, int line) noexcept {
    line_buffer text;
    say_and_abort(text, std::snprintf(text.data(), text.size(), "%s:%d: eddy: precondition violated: %s",
                                      file, line, message));
}

void fatal(const char* message, const char* detail) noexcept {
    line_buffer text;
    say_and_abort(text, std::snprintf(text.data(), text.size(), "eddy: %s%s%s", message,
                                      detail != nullptr ? ": " : "", detail != nullptr ? detail : ""));
}

}  // namespace eddy::detail
