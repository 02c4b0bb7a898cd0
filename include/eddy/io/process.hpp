#pragma once

#include <eddy/io/plain_descriptor.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace eddy::io {

/// Where a standard stream of a process leads.
struct process_stream {
    enum class target : std::uint8_t {
        inherited,
        null,
        pipe,           ///< the other end is the starter's
        file,           ///< path; for output it is made, or emptied
        appended_file,  ///< path
        descriptor,     ///< kept
    };
    target to = target::inherited;
    std::string path;
    std::shared_ptr<const plain_descriptor> kept;
};

/// What a process is to be made of.
struct process_request {
    std::string program;  ///< a path, or a name that is looked for in PATH
    std::vector<std::string> arguments;
    bool keeps_environment = true;          ///< this program's own is passed on
    std::vector<std::string> variables;     ///< NAME=VALUE: these come instead, or besides
    std::vector<std::string> left_out;      ///< names that are not passed on
    std::string folder;                     ///< empty: this program's own
    std::array<process_stream, 3> streams;  ///< standard input, output, error
    /// The process group: 0 is a new one, led by the process; nothing is this program's own.
    std::optional<int> group;
};

/// How a process has ended.
struct process_end {
    int code = 0;    ///< what it gave to exit()
    int signal = 0;  ///< or, if not 0, the signal that ended it
    bool has_dumped_core = false;
};

/// A process that this one has started and not collected yet. Any thread, one at a time. It is known by a
/// descriptor, so that nothing is ever done to another that has been given its number.
///
/// Destroyed before its end was collected, it is killed and collected there and then, which takes as long as
/// the system takes to end a process.
class process {
public:
    process() noexcept = default;
    process(int id, plain_descriptor descriptor, bool is_leader) noexcept
        : id_(id), descriptor_(std::move(descriptor)), is_leader_(is_leader) {}
    process(process&& other) noexcept
        : id_(std::exchange(other.id_, 0)),
          descriptor_(std::move(other.descriptor_)),
          is_leader_(other.is_leader_) {}
    process& operator=(process&& other) noexcept {
        std::swap(id_, other.id_);
        std::swap(descriptor_, other.descriptor_);
        std::swap(is_leader_, other.is_leader_);
        return *this;
    }
    ~process();

    /// The system's number, which is not another's before the end was collected. 0: none.
    [[nodiscard]] int id() const noexcept { return id_; }
    /// Becomes readable when the process has ended. Negative: it had before anybody could look, and was
    /// collected by somebody else.
    [[nodiscard]] int descriptor() const noexcept { return descriptor_.get(); }

    /// Lets it run on: whoever ends before the other, this program never collects it.
    void release() noexcept { id_ = 0; }
    /// Sends a signal, to the whole group if the process leads one of its own. 0, or an error number.
    int send(int signal) const noexcept;
    /// Collects the end if it has come; there is no process here afterwards. Never waits.
    [[nodiscard]] std::optional<process_end> collect() noexcept;

private:
    int id_ = 0;
    plain_descriptor descriptor_;
    bool is_leader_ = false;
};

/// A process and the starter's ends of its pipes, or the error number of why there is none.
struct process_result {
    process started;
    std::array<plain_descriptor, 3> pipes;
    int error = 0;
};

/// Starts a process, which has no descriptor of this one but its standard streams, no blocked signal, and
/// SIGPIPE as the system sets it. Waits until the program is loaded, so an error of execve(2) is told here;
/// not on a worker therefore. EINVAL: a text holds a NUL byte. Throws std::bad_alloc.
[[nodiscard]] process_result start_process(const process_request& wanted);

}  // namespace eddy::io
