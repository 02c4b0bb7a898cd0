#include "common/print.hpp"

#include <cerrno>
#include <cstdio>
#include <system_error>

namespace eddy::apps {

namespace {

// Returns 0 or an error.
int write_output(std::string_view text) noexcept {
    errno = 0;
    const bool is_written =
        std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    const int error = errno;
    std::clearerr(stdout);
    return is_written ? 0 : (error != 0 ? error : EIO);
}

}  // namespace

void print_text(std::string_view text) {
    if (const int error = write_output(text); error != 0)
        throw std::system_error(error, std::generic_category(), "standard output");
}

void announce_text(std::string_view text) noexcept {
    static_cast<void>(write_output(text));
}

}  // namespace eddy::apps
