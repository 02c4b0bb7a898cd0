#pragma once

#include <eddy/core/async_generator.hpp>

#include <optional>
#include <utility>

namespace eddy {

/// The size of a terminal, in characters.
struct window_size {
    /// Characters in a line.
    unsigned columns = 0;
    /// Lines.
    unsigned rows = 0;
    friend bool operator==(const window_size&, const window_size&) = default;
};

/// Whether the descriptor leads to a terminal.
[[nodiscard]] bool is_terminal(int descriptor) noexcept;

/// The terminal's size; nothing if the descriptor leads to something else.
[[nodiscard]] std::optional<window_size> find_window_size(int descriptor) noexcept;

/// Yields the terminal's size at once and then each time that it has changed (SIGWINCH, which one signal_set
/// at a time should wait for). Ends at once if the descriptor leads to no terminal. Throws std::system_error.
/// Dropped between two values or while it waits: nothing is lost, a new one begins with the current size.
/// Requires: read on a worker.
[[nodiscard]] async_generator<window_size> window_sizes(int descriptor);

/// While it lives a terminal is in raw mode: each byte is delivered as it comes, without echo, editing or
/// signals from keys. The former settings are restored when it is destroyed, when the program ends by exit(),
/// and when a signal ends it for which the program has no handler.
///
/// Ownership: moves, does not copy; the descriptor stays the caller's and stays open. Thread safety: none of
/// its own; different ones may be used by different threads.
class raw_mode {
public:
    /// Throws std::system_error: inappropriate_io_control_operation if it is no terminal,
    /// device_or_resource_busy if the terminal is in raw mode already, by whatever descriptor.
    explicit raw_mode(int descriptor);
    raw_mode(raw_mode&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    raw_mode& operator=(raw_mode&& other) noexcept {
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }
    ~raw_mode();

private:
    int descriptor_;
};

}  // namespace eddy
