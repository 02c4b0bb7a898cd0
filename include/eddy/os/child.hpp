#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/core/task.hpp>
#include <eddy/io/detail/process.hpp>
#include <eddy/os/pipe.hpp>

#include <memory>
#include <optional>
#include <utility>

namespace eddy {

/// How a child has ended: by itself, with a code, or by a signal.
class exit_status {
public:
    /// Of what the system reports.
    explicit exit_status(const io::process_end& end) noexcept : end_(end) {}

    /// Whether it returned 0.
    [[nodiscard]] bool is_success() const noexcept { return end_.signal == 0 && end_.code == 0; }
    /// The program's argument to exit(). 0 if a signal has ended it; -1 if it is not known, because the child
    /// was already reaped (by waitpid(-1), or because SIGCHLD is ignored).
    [[nodiscard]] int code() const noexcept { return end_.code; }
    /// The signal that has ended it, or 0.
    [[nodiscard]] int signal() const noexcept { return end_.signal; }
    /// Whether there is a core file.
    [[nodiscard]] bool has_dumped_core() const noexcept { return end_.has_dumped_core; }

private:
    io::process_end end_;
};

class command;

namespace detail {

/// A child that has not been collected yet, or how it has ended.
struct child_state {
    io::process process;
    const int id = process.id();
    const duration grace;
    bool runs_on = false;  ///< without an owner
    std::optional<io::process_end> end = {};

    child_state(io::process started, duration grace_period) noexcept
        : process(std::move(started)), grace(grace_period) {}
    child_state(const child_state&) = delete;
    child_state& operator=(const child_state&) = delete;
    ~child_state() {
        if (runs_on)
            process.release();
    }

    /// Whether it has ended; collects it if so. Never waits.
    [[nodiscard]] bool look() noexcept {
        if (!end)
            end = process.collect();
        return end.has_value();
    }
};

/// Sees to it that the child ends, in the background of the worker.
void end_child(const std::shared_ptr<child_state>& ended) noexcept;

}  // namespace detail

/// A process that a command has started.
///
/// - Ownership: moves, does not copy. Dropped before its end was waited for, the process is ended: with a
///   grace period (command::grace) it gets SIGTERM, and SIGKILL when that is over; without one SIGKILL at
///   once; and with a group of its own the whole group, what is left of it included when the process has
///   ended in time. That happens in the background of the worker and leaves no zombie; if the runtime ends
///   first, or memory is exhausted, the process is killed and reaped at once. detach() lets it run on.
/// - Thread safety: none; it belongs to the worker on which it was started.
class child {
public:
    child(child&& other) noexcept = default;
    child& operator=(child&& other) noexcept {
        if (this != &other) {
            abandon();
            state_ = std::move(other.state_);
            input_ = std::move(other.input_);
            output_ = std::move(other.output_);
            error_ = std::move(other.error_);
        }
        return *this;
    }
    ~child() { abandon(); }

    /// The system's number of the process. Once its end was collected it may become another's.
    [[nodiscard]] int id() const noexcept { return state_->id; }

    /// Waits until the process has ended. May be called again, and by several tasks at a time, with the same
    /// result. Its pipes may still hold what it wrote. They hold only 64 KiB, so a process whose output is
    /// not read may never end. Dropped: nothing is lost. Once begun it does not need this object. Throws
    /// std::system_error.
    [[nodiscard]] task<exit_status> wait();
    /// How it has ended, if it has. Never waits.
    [[nodiscard]] std::optional<exit_status> poll() noexcept;

    /// Sends a signal, to its group if it leads one. False if it has ended. Throws std::system_error.
    bool send(int signal);
    /// SIGTERM.
    bool terminate();
    /// SIGKILL.
    bool kill();

    /// Ends the process in good order and waits for its end: SIGTERM, and SIGKILL when it still runs after
    /// `grace`; zero or less is SIGKILL at once, duration::max() no limit. Where it leads a group of its own,
    /// both signals go to the group, and what is left of the group when the process has ended is killed.
    /// Dropped: the process may have been sent SIGTERM; it is still this child's. Once begun it needs this no
    /// more. Throws std::system_error.
    [[nodiscard]] task<exit_status> stop(duration grace);

    /// Lets the process run on when this is gone. It is collected in the background while the runtime lives;
    /// when that ends it becomes init's with this program. Throws std::bad_alloc, and nothing has changed
    /// then. Afterwards there are only its pipes here.
    void detach();

    /// The program's ends of pipes to standard input, output and error. Requires: that stream is a pipe.
    /// Closing the first lets the process see the end of its input. They may be moved out.
    [[nodiscard]] pipe_writer& input() noexcept { return *input_; }
    /// Its standard output. Requires: it is a pipe.
    [[nodiscard]] pipe_reader& output() noexcept { return *output_; }
    /// Its standard error. Requires: it is a pipe.
    [[nodiscard]] pipe_reader& error() noexcept { return *error_; }

private:
    friend class command;
    explicit child(std::shared_ptr<detail::child_state> state) noexcept : state_(std::move(state)) {}
    void abandon() noexcept {
        if (state_ != nullptr)
            detail::end_child(std::exchange(state_, nullptr));
    }

    std::shared_ptr<detail::child_state> state_;  ///< shared with what sees to its end
    std::optional<pipe_writer> input_;
    std::optional<pipe_reader> output_;
    std::optional<pipe_reader> error_;
};

}  // namespace eddy
