#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/core/task.hpp>
#include <eddy/io/detail/process.hpp>
#include <eddy/os/child.hpp>

#include <concepts>
#include <string>
#include <string_view>
#include <utility>

namespace eddy {

/// Where a standard stream of a child leads.
class child_stream {
public:
    /// Where this program's own leads.
    [[nodiscard]] static child_stream inherit() { return child_stream(target::inherited); }
    /// /dev/null.
    [[nodiscard]] static child_stream null() { return child_stream(target::null); }
    /// A pipe, whose other end is a member of the child.
    [[nodiscard]] static child_stream pipe() { return child_stream(target::pipe); }
    /// A file: read from its beginning, or made or emptied to be written. A relative path is one from this
    /// program's directory. Of a named pipe the other end must be open already.
    [[nodiscard]] static child_stream file(std::string path) { return {target::file, std::move(path)}; }
    /// A file that is made if it is not there, and written at its end.
    [[nodiscard]] static child_stream append_to(std::string path) {
        return {target::appended_file, std::move(path)};
    }
    /// What a descriptor leads to, which may be closed after this. Its mode is shared with the child, which
    /// expects it not to be O_NONBLOCK. Throws std::system_error.
    [[nodiscard]] static child_stream descriptor(int number);
    /// One end of a pipe, for example of another child, which is for children only from now on. It stays open
    /// here as long as this object, or a command that was passed it. Throws std::system_error. Requires: the
    /// caller is on the pipe's worker.
    [[nodiscard]] static child_stream pipe_end(pipe_reader end);
    [[nodiscard]] static child_stream pipe_end(pipe_writer end);

private:
    friend class command;
    using target = io::process_stream::target;
    explicit child_stream(target to) { stream_.to = to; }
    child_stream(target to, std::string path) {
        stream_.to = to;
        stream_.path = std::move(path);
    }

    static child_stream of_its_own(int number);

    io::process_stream stream_;
};

/// A program to be run as a child, and how. Without further words it has this program's environment, directory,
/// process group and standard streams, and never another descriptor, a blocked signal, or SIGPIPE ignored.
///
///     child sorter = co_await command("sort").argument("-n").input(child_stream::pipe()).start();
///
/// Ownership: a value; it may be started many times. Thread safety: none of its own.
class command {
public:
    /// A path, or a name that is looked for in this program's PATH. A relative path is one from the child's
    /// directory.
    explicit command(std::string program);

    /// Adds an argument.
    command& argument(std::string value);
    /// Several. No list in braces: g++ 12 has none inside a co_await expression.
    template <std::convertible_to<std::string>... Values>
    command& arguments(Values&&... values) {
        (argument(std::forward<Values>(values)), ...);
        return *this;
    }
    /// Sets a variable for the child.
    command& variable(std::string_view name, std::string_view value);
    /// Does not pass on a variable of this program's.
    command& without_variable(std::string name);
    /// Passes on no variables of this program's.
    command& without_environment() noexcept;
    /// The directory that it starts in.
    command& directory(std::string path);

    /// Where its standard input comes from.
    command& input(child_stream from);
    /// Where its standard output goes.
    command& output(child_stream to);
    /// Where its standard error goes.
    command& error(child_stream to);

    /// The child leads a process group of its own, to which signals are sent as long as its end was not
    /// waited for: so what it has started ends with it when it is dropped.
    command& own_group() noexcept;
    /// The child is of the group of another, which leads it. Signals for this one are sent to it alone. The
    /// leader's end must not have been waited for when it starts (operation_not_permitted).
    command& group(const child& leader);
    /// The time between SIGTERM and SIGKILL for a child that is dropped. 0, which is the default: SIGKILL at
    /// once.
    command& grace(duration period) noexcept;

    /// Starts it, on a thread of the offload pool, which also looks at this program's environment (setenv(3)
    /// at the same time is a race), and waits until the program is loaded. Throws
    /// std::system_error: what opening files or execve(2) has met (no_such_file_or_directory,
    /// permission_denied, exec_format_error ...). Dropped: a child that was started nevertheless is killed
    /// and collected. Requires: awaited on a worker.
    [[nodiscard]] task<child> start() const;

private:
    static task<child> start_child(io::process_request request, duration grace);

    io::process_request request_;
    duration grace_{};
};

}  // namespace eddy
