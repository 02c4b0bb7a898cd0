#pragma once

#include <eddy/io/detail/process.hpp>

#include <optional>

namespace eddy::io {

/// Starts processes, and sees to their end. Results: errors are negative error numbers.
///
/// Thread safety: any thread; it outlives the runtime, and the processes.
class processes {
public:
    processes() = default;
    processes(const processes&) = delete;
    processes& operator=(const processes&) = delete;

    /// Starts a process, which has no descriptor of this one but its standard streams, no blocked signal, and
    /// SIGPIPE as the system sets it. Waits until the program is loaded, so an error of execve(2) is returned
    /// here; not on a worker therefore. EINVAL: a text holds a NUL byte. Throws std::bad_alloc.
    [[nodiscard]] virtual process_result start(const process_request& wanted) = 0;

    // -- for processes that were not reaped --

    /// As process::send().
    [[nodiscard]] virtual int send(const process& to, int signal) noexcept = 0;
    /// Reaps it if it has ended. Never waits.
    [[nodiscard]] virtual std::optional<process_end> collect(const process& ended) noexcept = 0;
    /// Kills and reaps it. Waits.
    virtual void end(const process& killed) noexcept = 0;

protected:
    ~processes() = default;
};

}  // namespace eddy::io
