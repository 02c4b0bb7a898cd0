#pragma once

#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace eddy::detail {

/// A thread that runs `body`. Throws std::bad_alloc, and std::system_error that says what could not be
/// started: the system's own error, EAGAIN, does not.
template <class Body>
std::thread start_thread(const char* purpose, Body&& body) {
    try {
        return std::thread(std::forward<Body>(body));
    } catch (const std::system_error& error) {
        throw std::system_error(error.code(), std::string("cannot start a thread for ") + purpose +
                                                  " (is the limit of processes reached, `ulimit -u`?)");
    }
}

}  // namespace eddy::detail
