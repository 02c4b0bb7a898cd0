#pragma once

namespace eddy::backends {

/// With what flags this thread is to write (pwritev2(2)) so that a pipe that nobody reads any more gives
/// EPIPE and raises no signal. Where the system knows no such flag (before Linux 6.18) SIGPIPE is blocked for
/// the thread from the first call on, and there is nothing to be said with each write.
[[nodiscard]] int quiet_write_flags() noexcept;

/// The same for a call that takes no flag (splice(2)): SIGPIPE is blocked for the thread.
void silence_broken_pipes() noexcept;

}  // namespace eddy::backends
