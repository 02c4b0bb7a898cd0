#pragma once

#include <eddy/io/process.hpp>

namespace eddy {

/// How a child has ended: by itself, with a code, or by a signal.
class exit_status {
public:
    explicit exit_status(const io::process_end& end) noexcept : end_(end) {}

    [[nodiscard]] bool is_success() const noexcept { return end_.signal == 0 && end_.code == 0; }
    /// What the program gave to exit(). 0 if a signal has ended it; -1 if somebody else had collected the
    /// child (by waitpid(-1), or because SIGCHLD is ignored), so that nobody can tell.
    [[nodiscard]] int code() const noexcept { return end_.code; }
    /// The signal that has ended it, or 0.
    [[nodiscard]] int signal() const noexcept { return end_.signal; }
    [[nodiscard]] bool has_dumped_core() const noexcept { return end_.has_dumped_core; }

private:
    io::process_end end_;
};

}  // namespace eddy
