#pragma once

#include <eddy/core/task.hpp>
#include <eddy/os/descriptor_sink.hpp>
#include <eddy/os/descriptor_stream.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace eddy {

/// Bytes from the program's standard input, be that a terminal, a pipe, a file, a socket or /dev/null.
///
/// - Ownership: moves, does not copy. The descriptor stays open when it is destroyed; what was read for a
///   wait that was dropped, or with a line, and not asked for since is lost then, so make one and keep it.
/// - Thread safety: none; it belongs to the worker on which it was made. One read at a time.
/// - Errors: operations throw std::system_error, or give it through as_result().
/// - The descriptor is duplicated, so its number may be closed meanwhile. Its mode is not changed, since
///   other processes share it. A terminal is opened once more, for this stream alone.
class input_stream {
public:
    /// Throws std::system_error. Requires: the caller is on a worker.
    explicit input_stream(int descriptor);

    /// Waits for bytes and puts at least one into `out`; gives their number, 0 at the end. Dropped: what had
    /// arrived is given by the next read; a read of a file is waited for. Requires: `out` is not empty and
    /// stays until then.
    [[nodiscard]] detail::descriptor_read read(std::span<std::byte> out) noexcept { return {*stream_, out}; }

    /// Reads a line and gives it without its '\n'; at the end what comes after the last one, then nothing.
    /// Throws std::system_error with message_size if there is no '\n' among the first `limit` bytes, which
    /// stay to be read. Dropped: nothing is lost. Requires: the stream stays until then, and is not moved.
    [[nodiscard]] task<std::optional<std::string>> read_line(std::size_t limit = 1U << 20U);

    [[nodiscard]] bool is_terminal() const noexcept { return is_terminal_; }

private:
    std::unique_ptr<detail::descriptor_stream> stream_;
    bool is_terminal_;
};

/// Bytes to the program's standard output or error output, whatever they are; not buffered, so that they come
/// in order with what else the program writes and has flushed. Otherwise as input_stream; a pipe that nobody
/// reads any more gives broken_pipe and no signal.
class output_stream : public detail::descriptor_sink {
public:
    /// Throws std::system_error. Requires: the caller is on a worker.
    explicit output_stream(int descriptor);

    [[nodiscard]] bool is_terminal() const noexcept { return is_terminal_; }

private:
    bool is_terminal_;
};

/// The three that every program has. As the constructors.
[[nodiscard]] inline input_stream standard_input() {
    return input_stream(0);
}
[[nodiscard]] inline output_stream standard_output() {
    return output_stream(1);
}
[[nodiscard]] inline output_stream standard_error() {
    return output_stream(2);
}

}  // namespace eddy
