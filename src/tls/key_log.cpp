#include "key_log.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>
#include <system_error>

namespace eddy::detail {

namespace {

/// The file, for all contexts of the program: opened anew for each line, since it is seldom and the file may
/// have been moved away.
void append_line(const SSL*, const char* line) {
    static std::mutex lock;
    const std::scoped_lock guard(lock);
    const char* const path = std::getenv("SSLKEYLOGFILE");
    if (path == nullptr)
        return;
    try {
        std::error_code ignored;
        const bool is_new = !std::filesystem::exists(path, ignored);
        std::ofstream log(path, std::ios::app);
        if (is_new)
            std::filesystem::permissions(
                path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write, ignored);
        // In one piece, so that several programs can share the file.
        log << std::string(line) + '\n' << std::flush;
    } catch (...) {
        // A missing line only hampers the analysis; the connection does not depend on it.
    }
}

}  // namespace

void log_keys(SSL_CTX* context) {
    const char* const path = std::getenv("SSLKEYLOGFILE");
    if (path != nullptr && *path != '\0')
        SSL_CTX_set_keylog_callback(context, &append_line);
}

}  // namespace eddy::detail
