#pragma once

#include <eddy/core/task.hpp>
#include <eddy/io/detail/owned_state.hpp>
#include <eddy/os/detail/descriptor_sink.hpp>
#include <eddy/os/detail/polled_stream.hpp>
#include <eddy/stream/detail/splice_end.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace eddy {

/// The reading end of a pipe.
///
/// - Ownership: moves, does not copy. Destroying it closes it; it outlives the operations on it.
/// - Thread safety: none; it belongs to the worker on which it was made. One read at a time. In every build, a read
///   on another worker, a second read, using one that was moved from, and one that is open when its runtime
///   ends, end the program with a message.
/// - Errors: operations throw std::system_error, or return it through as_result(). A read under way when
///   close() is called by another task ends with operation_canceled.
/// - Cost: a read is one operation; nothing is allocated unless a read is dropped that had succeeded.
class pipe_reader : public detail::state_owner<detail::polled_stream> {
public:
    /// Takes over a descriptor from which can be read. Requires: the caller is on a worker.
    explicit pipe_reader(int descriptor);

    /// Waits for bytes and puts at least one into `out`. Returns their number, 0 when the other end is closed
    /// and all has been read. A read into an empty span returns 0 at once and takes nothing. Dropped: what
    /// had arrived is returned by the next read. Requires: `out` stays until then.
    [[nodiscard]] detail::polled_read read(std::span<std::byte> out) noexcept { return {here(), out}; }

    /// Comes about in the worker's next turn; the end's own operations see it at once.
    void close() noexcept { state().close(); }
    /// The system's number of it, which stays the end's own. Negative once it is closed.
    [[nodiscard]] int descriptor() const noexcept { return state().descriptor(); }

    /// For copy() (stream/detail/splice_end.hpp): none while bytes are kept here, or the other end has not been
    /// opened.
    [[nodiscard]] std::optional<detail::splice_end> splice_source() const noexcept {
        detail::polled_stream& used = here();
        if (used.has_answer() || used.is_deferring_reads())
            return std::nullopt;
        return used.source_end();
    }

private:
    friend task<pipe_reader> open_fifo_reader(std::string path);
};

/// The writing end of a pipe. Ownership, threads and errors as pipe_reader; one write at a time. When the
/// reading end is closed writes fail with broken_pipe, and no signal is raised (where the system cannot
/// suppress it for one write, SIGPIPE is blocked for the worker's thread from its first write to a pipe on).
class pipe_writer : public detail::descriptor_sink {
public:
    /// Takes over a descriptor to which can be written. Requires: the caller is on a worker.
    explicit pipe_writer(int descriptor);

    /// What was written can still be read; then the reader sees the end. Comes about in the worker's next
    /// turn.
    void close() noexcept { state().close(); }
    /// The descriptor, which stays the writer's.
    [[nodiscard]] int descriptor() const noexcept { return state().descriptor(); }

    /// For copy() (stream/detail/splice_end.hpp).
    [[nodiscard]] std::optional<detail::splice_end> splice_sink() const noexcept {
        detail::polled_stream& used = here();
        if (!used.is_open())
            return std::nullopt;
        return used.sink_end();
    }
};

/// Both ends of a pipe.
struct pipe_ends {
    // No aggregate: g++ 12 destroys temporaries of such twice inside a co_await expression.
    /// Owns both ends.
    pipe_ends(pipe_reader reading, pipe_writer writing) noexcept
        : reader(std::move(reading)), writer(std::move(writing)) {}

    /// What is read from.
    pipe_reader reader;
    /// What is written to.
    pipe_writer writer;
};

/// Makes a pipe. Never waits. Throws std::system_error. Requires: the caller is on a worker.
[[nodiscard]] pipe_ends pipe();

/// Makes a named pipe with these permission bits, less the process's umask.
/// Throws std::system_error. Dropped: it is made or not.
[[nodiscard]] task<> make_fifo(std::string path, unsigned mode = 0600);

/// Opens the reading end of a named pipe. Does not wait for a writer: the first read does, so that the end is
/// seen only after a writer has opened and closed it. Throws std::system_error; invalid_argument if the path
/// leads to something else, or holds a NUL byte. Dropped: what was opened is closed.
[[nodiscard]] task<pipe_reader> open_fifo_reader(std::string path);

/// Opens the writing end of a named pipe, and waits until a process has opened it for reading: the system
/// does not report that, so this tries again every 1 to 50 ms. Errors and dropping as with the reader. Bound
/// it with with_timeout().
[[nodiscard]] task<pipe_writer> open_fifo_writer(std::string path);

}  // namespace eddy
