#pragma once

#include <eddy/base/clock.hpp>
#include <eddy/core/task.hpp>
#include <eddy/io/process.hpp>
#include <eddy/os/exit_status.hpp>
#include <eddy/os/pipe.hpp>

#include <memory>
#include <optional>
#include <utility>

namespace eddy {

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
void end_child(std::shared_ptr<child_state> ended) noexcept;

}  // namespace detail

/// A process that a command has started.
///
/// - Ownership: moves, does not copy. Dropped before its end was waited for, the process is ended: with a
///   grace period (command::grace) it gets SIGTERM, and SIGKILL when that is over; without one SIGKILL at
///   once; and with a group of its own the whole group, what is left of it included when the process has
///   ended in time. That goes on in the background of the worker and leaves no zombie; should the runtime end
///   before, or memory be out, the process is killed and collected there and then. detach() lets it run on.
/// - Thread safety: none; it belongs to the worker on which it was started.
class child {
public:
    child(child&& other) noexcept = default;
    child& operator=(child&& other) noexcept {
        if (this != &other) {
            let_go();
            state_ = std::move(other.state_);
            input_ = std::move(other.input_);
            output_ = std::move(other.output_);
            error_ = std::move(other.error_);
        }
        return *this;
    }
    ~child() { let_go(); }

    /// The system's number of the process. Once its end was collected it may become another's.
    [[nodiscard]] int id() const noexcept { return state_->id; }

    /// Waits until the process has ended; again gives the same, and so do several waits at a time. Its pipes
    /// may still hold what it wrote; they hold only so much (64 KiB), so who does not read them may wait for
    /// ever. Dropped: nothing is lost. Once begun it needs this no more. Throws std::system_error.
    [[nodiscard]] task<exit_status> wait();
    /// How it has ended, if it has. Never waits.
    [[nodiscard]] std::optional<exit_status> poll() noexcept;

    /// Sends a signal, to its group if it leads one. False if it has ended. Throws std::system_error.
    bool send(int signal);
    /// SIGTERM.
    bool terminate();
    /// SIGKILL.
    bool kill();

    /// Lets the process run on when this is gone. It is collected in the background while the runtime lives;
    /// when that ends it becomes init's with this program. Throws std::bad_alloc, and nothing has changed
    /// then. Afterwards there are only its pipes here.
    void detach();

    /// The program's ends of pipes to standard input, output and error. Requires: that stream is a pipe.
    /// Closing the first lets the process see the end of its input. They may be moved out.
    [[nodiscard]] pipe_writer& input() noexcept { return *input_; }
    [[nodiscard]] pipe_reader& output() noexcept { return *output_; }
    [[nodiscard]] pipe_reader& error() noexcept { return *error_; }

private:
    friend class command;
    explicit child(std::shared_ptr<detail::child_state> state) noexcept : state_(std::move(state)) {}
    void let_go() noexcept {
        if (state_ != nullptr)
            detail::end_child(std::move(state_));
    }

    std::shared_ptr<detail::child_state> state_;  ///< shared with what sees to its end
    std::optional<pipe_writer> input_;
    std::optional<pipe_reader> output_;
    std::optional<pipe_reader> error_;
};

}  // namespace eddy
