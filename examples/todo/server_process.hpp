#pragma once

#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/os/child.hpp>
#include <eddy/os/command.hpp>
#include <eddy/os/pipe.hpp>
#include <eddy/sync/event.hpp>

#include <memory>
#include <string>

namespace todo {

/// Another server that this program has started. Dropped: it is ended.
class server_process {
public:
    /// Starts it, and waits until it says `ready` on its standard output or error. Throws std::runtime_error,
    /// with its own last words, if it ends before that or takes too long.
    [[nodiscard]] static eddy::task<std::unique_ptr<server_process>> start(std::string name,
                                                                           eddy::command how,
                                                                           std::string ready);

    /// Sends it this signal, and waits for its end; kills it if that takes too long.
    [[nodiscard]] eddy::task<> stop(int signal);

private:
    server_process(std::string name, std::string ready, eddy::child started, eddy::pipe_reader output)
        : name_(std::move(name)),
          ready_text_(std::move(ready)),
          child_(std::move(started)),
          output_(std::move(output)) {}

    /// Reads its output until it ends; a server whose output is not read would block.
    [[nodiscard]] eddy::task<> listen();

    std::string name_;
    std::string ready_text_;
    std::string said_;  // the last of it
    bool is_stopping_ = false;
    eddy::event<bool> ready_;  // false: it has ended
    eddy::child child_;
    eddy::pipe_reader output_;
    eddy::handle<> listening_;
};

/// Runs a program to its end. Throws std::runtime_error, with its last words, unless that is a success.
[[nodiscard]] eddy::task<> run_to_end(std::string name, eddy::command how);

}  // namespace todo
