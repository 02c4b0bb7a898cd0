#pragma once

#include <eddy/io/plain_descriptor.hpp>

#include <optional>
#include <string>
#include <vector>

namespace eddy::io {

/// What a process is to be made of. Owns all but the descriptors in `streams`.
struct process_request {
    std::string program;  ///< a path, or a name that is looked for in PATH
    std::vector<std::string> arguments;
    std::optional<std::vector<std::string>> environment;  ///< NAME=VALUE; nothing: this program's own
    std::string folder;                                   ///< empty: this program's own
    static constexpr int inherited = -1;
    int streams[3] = {inherited, inherited, inherited};  ///< standard input, output, error
    /// 0: a new group, led by the process. Nothing: this program's own.
    std::optional<int> group;
};

/// How a process has ended.
struct process_end {
    int code = 0;    ///< what it gave to exit()
    int signal = 0;  ///< or, if not 0, the signal that ended it
    bool has_dumped_core = false;
};

/// A process that this one has started and not collected yet. Any thread, one at a time.
///
/// Destroyed before its end was collected, it is killed and collected there and then, which takes as long as the
/// system takes to end a process.
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
    /// Becomes readable when the process has ended.
    [[nodiscard]] int descriptor() const noexcept { return descriptor_.get(); }

    /// Sends a signal, to the whole group if the process leads one of its own. 0, or an error number.
    int send(int signal) const noexcept;
    /// Collects the end if it has come; there is no process here afterwards. Never waits.
    [[nodiscard]] std::optional<process_end> collect() noexcept;

private:
    int id_ = 0;
    plain_descriptor descriptor_;
    bool is_leader_ = false;
};

/// A process, or the error number of why there is none.
struct process_result {
    process started;
    int error = 0;
};

/// Starts a process, which has no descriptor of this one but its standard streams, no blocked signal, and
/// SIGPIPE as the system sets it. Waits until the program is loaded, so an error of execve(2) is told here; not
/// on a worker therefore. Throws std::bad_alloc.
[[nodiscard]] process_result start_process(const process_request& wanted);

/// Opens /dev/null, or another file, for a standard stream. Negative: an error number.
[[nodiscard]] plain_descriptor open_for_process(const char* path, bool is_writing, bool is_appending) noexcept;

}  // namespace eddy::io
