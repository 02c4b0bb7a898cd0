#include <eddy/base/assert.hpp>

#include <cstdio>
#include <cstdlib>

namespace eddy::detail {

void assertion_failed(const char* message, const char* file, int line) noexcept {
    std::fprintf(stderr, "%s:%d: eddy: precondition violated: %s\n", file, line, message);
    std::abort();
}

void fatal(const char* message, const char* detail) noexcept {
    std::fprintf(stderr, "eddy: %s%s%s\n", message, detail != nullptr ? ": " : "",
                 detail != nullptr ? detail : "");
    std::abort();
}

}  // namespace eddy::detail
