#pragma once

#include <eddy/core/task.hpp>
#include <eddy/io/detail/owned_state.hpp>
#include <eddy/os/detail/descriptor_sink.hpp>
#include <eddy/os/detail/polled_stream.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace eddy {

/// Bytes from the program's standard input: a terminal, a pipe, a file, a socket or /dev/null.
///
/// - Ownership: moves, does not copy. The descriptor stays open when it is destroyed; bytes that were read
///   ahead, for a line or for a dropped wait, are lost then, so make one and keep it.
/// - Thread safety: none; it belongs to the worker on which it was made. One read at a time. In every build, a read
///   on another worker, a second read, using one that was moved from, and one that is open when its runtime
///   ends, end the program with a message.
/// - Errors: operations throw std::system_error, or return it through as_result().
/// - The descriptor is duplicated, so its number may be closed meanwhile. Its mode is not changed, since
///   other processes share it. A terminal is opened once more, for this stream alone.
class input_stream : private detail::state_owner<detail::polled_stream> {
public:
    /// Throws std::system_error. Requires: the caller is on a worker.
    explicit input_stream(int descriptor);

    /// Waits for bytes and puts at least one into `out`. Returns their number, 0 at the end. Dropped: what
    /// had arrived is returned by the next read; waits for a read of a file. Requires: `out` stays until
    /// then.
    [[nodiscard]] detail::polled_read read(std::span<std::byte> out) noexcept { return {here(), out}; }

    /// Reads a line and returns it without its '\n'; at the end what comes after the last '\n', then nothing.
    /// Throws std::system_error with message_size if there is no '\n' among the first `limit` bytes, which
    /// stay to be read. Dropped: nothing is lost. Requires: the stream stays until then, and is not moved.
    [[nodiscard]] task<std::optional<std::string>> read_line(std::size_t limit = 1U << 20U);

    /// Whether it is a terminal.
    [[nodiscard]] bool is_terminal() const noexcept { return is_terminal_; }

private:
    bool is_terminal_;
};

/// Bytes to the program's standard output or error output, whatever they are; not buffered, so that they come
/// in order with what else the program writes and has flushed. Otherwise as input_stream; a pipe without a
/// reader causes broken_pipe and no signal.
class output_stream : public detail::descriptor_sink {
public:
    /// Throws std::system_error. Requires: the caller is on a worker.
    explicit output_stream(int descriptor);

    /// Whether it is a terminal.
    [[nodiscard]] bool is_terminal() const noexcept { return is_terminal_; }

private:
    bool is_terminal_;
};

/// The three that every program has. As the constructors.
[[nodiscard]] inline input_stream standard_input() {
    return input_stream(0);
}
/// The standard output of this process.
[[nodiscard]] inline output_stream standard_output() {
    return output_stream(1);
}
/// The standard error of this process.
[[nodiscard]] inline output_stream standard_error() {
    return output_stream(2);
}

}  // namespace eddy
