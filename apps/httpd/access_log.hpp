#pragma once

#include <eddy/core/task.hpp>
#include <eddy/http/access_log_line.hpp>
#include <eddy/http/exchange.hpp>

#include <cstdio>
#include <string>

namespace eddy::apps {

/// Writes a line for each answer, to standard output or to a file that it adds to.
///
/// Lines gather and are written several times a second, whole, so that the lines of several workers do not
/// mix. One log a worker.
class access_log {
public:
    /// An empty path is standard output. Throws std::system_error.
    access_log(http::access_log_format format, std::string path);
    access_log(const access_log&) = delete;
    access_log& operator=(const access_log&) = delete;
    ~access_log();

    void note(http::exchange& answered);

    /// Opens the file anew: it may have been renamed. Where that fails it goes on with the old one.
    void reopen() noexcept;

    /// Writes what has gathered, again and again. Dropped: nothing is lost.
    [[nodiscard]] task<> keep_flushing();

private:
    void flush() noexcept;

    http::access_log_line line_;
    std::string path_;
    std::FILE* file_;
    std::string lines_;
};

}  // namespace eddy::apps
