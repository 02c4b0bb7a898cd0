#pragma once

#include <string>

namespace eddy::apps::memcached {

/// Continues as a process detached from the terminal and the shell (daemon(3)), in the same directory. Throws
/// std::system_error. Requires: called before there are threads.
void enter_background(bool keeps_standard_streams);

/// Becomes this user, with the user's groups; does nothing unless root runs the program. Throws
/// std::invalid_argument if there is no such user, and std::system_error.
void become_user(const std::string& name);

/// A file with the number of the process, until it is destroyed. Without a path there is none.
class process_file {
public:
    /// Throws std::system_error.
    explicit process_file(std::string path);
    process_file(const process_file&) = delete;
    process_file& operator=(const process_file&) = delete;
    ~process_file();

private:
    std::string path_;
};

}  // namespace eddy::apps::memcached
