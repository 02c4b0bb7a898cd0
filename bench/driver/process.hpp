#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <sys/types.h>
#include <vector>

namespace bench {

// A child process pinned to some cores, its output in a file. It is ended when this object goes: first asked,
// then, after two seconds, killed together with its own children.
class process {
public:
    // Throws failure when the program cannot be started.
    process(const std::vector<std::string>& arguments, const std::vector<int>& cores,
            const std::filesystem::path& output);
    process(const process&) = delete;
    ~process();

    pid_t id() const { return id_; }
    bool has_ended();
    // Requires: has_ended().
    bool has_succeeded() const;

    // Throws failure when the process has not ended by then, `interrupted` on an interrupt.
    void wait_until(std::chrono::steady_clock::time_point deadline);

    // The process and what descends from it.
    std::vector<pid_t> family() const;

private:
    bool ends_within(std::chrono::milliseconds time);

    std::string name_;
    pid_t id_ = -1;
    bool ended_ = false;
    int status_ = 0;
};

}  // namespace bench
