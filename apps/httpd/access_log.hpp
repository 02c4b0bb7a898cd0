#pragma once

#include <eddy/core/task.hpp>
#include <eddy/http/exchange.hpp>

#include <string>

namespace eddy::apps {

/// Writes a line for each answer to standard output:
///
///     2026-01-31T12:00:00Z GET /index.html 200 1024
///
/// Lines gather and are written several times a second, whole, so that the lines of several workers do not
/// mix. One log a worker.
class access_log {
public:
    access_log() = default;
    access_log(const access_log&) = delete;
    access_log& operator=(const access_log&) = delete;
    ~access_log() { flush(); }

    void note(const http::exchange& answered);

    /// Writes what has gathered, again and again. Dropped: nothing is lost.
    [[nodiscard]] task<> keep_flushing();

private:
    void flush() noexcept;

    std::string lines_;
};

}  // namespace eddy::apps
