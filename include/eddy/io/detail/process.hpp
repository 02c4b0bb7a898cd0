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
    std::string directory;                  ///< empty: this program's own
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

class processes;

/// A process that this one has started and not reaped yet. Any thread, one at a time. It is identified by a
/// descriptor, so another process that reuses its number is never affected.
///
/// Destroyed before it was reaped, the process is killed and reaped at once, which takes as long as the
/// system takes to end a process.
class process {
public:
    process() noexcept = default;
    process(processes& starter, int id, plain_descriptor descriptor, bool is_leader) noexcept
        : starter_(&starter), id_(id), descriptor_(std::move(descriptor)), is_leader_(is_leader) {}
    process(process&& other) noexcept
        : starter_(other.starter_),
          id_(std::exchange(other.id_, 0)),
          descriptor_(std::move(other.descriptor_)),
          is_leader_(other.is_leader_) {}
    process& operator=(process&& other) noexcept {
        std::swap(starter_, other.starter_);
        std::swap(id_, other.id_);
        std::swap(descriptor_, other.descriptor_);
        std::swap(is_leader_, other.is_leader_);
        return *this;
    }
    ~process();

    /// The system's number, which is not another's before the end was collected. 0: none.
    [[nodiscard]] int id() const noexcept { return id_; }
    /// Becomes readable when the process has ended. Negative: it had ended before the descriptor could be
    /// opened, and was reaped elsewhere.
    [[nodiscard]] int descriptor() const noexcept { return descriptor_.get(); }
    /// Whether signals go to a group that it leads.
    [[nodiscard]] bool is_leader() const noexcept { return is_leader_; }

    /// Lets it run on: this program never reaps it.
    void release() noexcept { id_ = 0; }
    /// Sends a signal, to the whole group if the process leads one of its own. 0, or an error number.
    int send(int signal) const noexcept;
    /// Collects the end if it has come; there is no process here afterwards. Never waits.
    [[nodiscard]] std::optional<process_end> collect() noexcept;

private:
    processes* starter_ = nullptr;
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

}  // namespace eddy::io
