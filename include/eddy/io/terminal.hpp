#pragma once

namespace eddy::io {

[[nodiscard]] bool is_terminal(int descriptor) noexcept;

/// 0, or an error number (ENOTTY).
[[nodiscard]] int terminal_size(int descriptor, unsigned& columns, unsigned& rows) noexcept;

/// Opens the terminal behind a descriptor once more, in non-blocking mode, which is the new descriptor's own:
/// others that share the old one see nothing of it. The new one, or an error number. Never waits.
[[nodiscard]] int reopen_terminal(int descriptor, bool is_writing) noexcept;

/// Makes the terminal give each byte as it comes, without echo, editing or signals. What was set before comes
/// back with leave_raw_mode(), when the program ends by exit(), and when a signal ends it that nobody
/// handles. 0, or an error number: EBUSY if it is in raw mode already, or too many are. Any thread.
[[nodiscard]] int enter_raw_mode(int descriptor) noexcept;
void leave_raw_mode(int descriptor) noexcept;

}  // namespace eddy::io
