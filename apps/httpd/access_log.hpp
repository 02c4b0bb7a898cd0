#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/routing/access_log.hpp>
#include <eddy/http/server/exchange.hpp>
#include <eddy/os/standard_streams.hpp>
#include <eddy/sync/auto_reset_event.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace eddy::apps {

/// Writes a line for each response, to standard output or to a file that it adds to.
///
/// Lines gather and are written several times a second, in pieces of whole lines, so that the lines of several
/// workers do not mix. Writing suspends a task and never blocks the worker: while the disk, or the reader of a
/// pipe, does not keep up, up to a megabyte of lines is kept. Lines beyond it are lost, and their number is
/// said on standard error, at most every ten seconds. One log a worker.
class access_log {
public:
    /// An empty path is standard output. Throws std::system_error. Requires: the caller is on a worker.
    access_log(http::access_log_format format, std::string path);
    access_log(const access_log&) = delete;
    access_log& operator=(const access_log&) = delete;
    ~access_log();

    void note(http::exchange& answered);

    /// Has run() open the file anew, which may have been renamed. If that fails it keeps using the old one.
    void reopen() noexcept;
    /// Has run() end when everything is written.
    void close() noexcept;

    /// Writes what has gathered, again and again, until close(). Dropped: the lines that are not written are
    /// lost. Requires: called once.
    [[nodiscard]] task<> run();

private:
    [[nodiscard]] task<> write_gathered();
    void open_anew() noexcept;
    void lose(std::string_view lines, std::string_view why) noexcept;
    void report_losses() noexcept;

    http::access_log_line line_;
    std::string path_;
    output_stream out_;
    std::string gathered_;
    std::string taken_;        // from gathered_, to be written
    std::size_t written_ = 0;  // of it
    auto_reset_event wanted_;
    bool is_reopening_ = false;
    bool is_closing_ = false;
    std::size_t lost_ = 0;
    std::string lost_why_;
    time_point losses_reported_at_{};
};

}  // namespace eddy::apps
