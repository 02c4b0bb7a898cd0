#pragma once

#include <cerrno>
#include <cstdint>

namespace eddy::backends {

/// The flags with which this thread writes (pwritev2(2)) so that a pipe without a reader causes EPIPE and no
/// signal. Where the system has no such flag (before Linux 6.18) SIGPIPE is blocked for the thread from the
/// first call on, and the flags are 0.
[[nodiscard]] int write_nosignal_flags() noexcept;

/// The same for calls that take no flag (splice(2), sendfile(2)): blocks SIGPIPE for the thread while it
/// lives, and takes what such a call has raised.
class broken_pipe_silence {
public:
    broken_pipe_silence() noexcept;
    broken_pipe_silence(const broken_pipe_silence&) = delete;
    broken_pipe_silence& operator=(const broken_pipe_silence&) = delete;
    ~broken_pipe_silence();

    /// Passes on the result of such a call for so many bytes. One that breaks off in its middle has raised the
    /// signal, too, and returns what it has moved.
    std::int64_t note(std::int64_t result, std::uint64_t wanted_bytes) noexcept {
        may_be_raised_ |=
            result == -EPIPE || (result > 0 && static_cast<std::uint64_t>(result) < wanted_bytes);
        return result;
    }

private:
    bool was_blocked_;
    bool may_be_raised_ = false;
};

}  // namespace eddy::backends
