#pragma once

#include "support/listen.hpp"
#include "support/todo.hpp"

#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace course {

/// A connection to a port of this machine, blocking; -1 if it is refused.
inline int connect_to(std::uint16_t port) {
    const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(port);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(descriptor, reinterpret_cast<const sockaddr*>(&at), sizeof(at)) < 0) {
        ::close(descriptor);
        return -1;
    }
    const int on = 1;
    ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    return descriptor;
}

/// As many descriptors as this process may have.
inline std::size_t raise_descriptor_limit() {
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
    return limit.rlim_cur;
}

/// A server in a process of its own, whose processor time can be read. It is killed with this object, and with its parent.
class server_process {
public:
    /// Runs `serve(announce)` in a copy of this process; `serve` calls announce(port) once it listens.
    template <class Serve>
    static server_process forked(Serve serve) {
        int ends[2];
        if (::pipe(ends) < 0)
            std::abort();
        const pid_t child = ::fork();
        if (child == 0) {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            ::close(ends[0]);
            serve([&](std::uint16_t port) {
                if (::write(ends[1], &port, sizeof(port)) != sizeof(port))
                    std::_Exit(1);
            });
            std::_Exit(0);
        }
        ::close(ends[1]);
        std::uint16_t port = 0;
        if (::read(ends[0], &port, sizeof(port)) != sizeof(port))
            port = 0;
        ::close(ends[0]);
        int status = 0;
        // A step that is not begun is not begun here either.
        if (port == 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status) &&
            WEXITSTATUS(status) == course::exit_todo)
            std::_Exit(course::exit_todo);
        return {child, port};
    }

    /// Runs a program; "{port}" in an argument is replaced by the port to listen on.
    static server_process program(std::vector<std::string> arguments) {
        const std::uint16_t port = free_port();
        std::vector<char*> words;
        for (std::string& argument : arguments) {
            if (const auto at = argument.find("{port}"); at != std::string::npos)
                argument.replace(at, 6, std::to_string(port));
            words.push_back(argument.data());
        }
        words.push_back(nullptr);
        const pid_t child = ::fork();
        if (child == 0) {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            ::execvp(words[0], words.data());
            std::perror(words[0]);
            std::_Exit(127);
        }
        for (int tries = 0; tries < 5000; ++tries) {
            if (const int probe = connect_to(port); probe >= 0) {
                ::close(probe);
                return {child, port};
            }
            ::usleep(1000);
        }
        return {child, 0};
    }

    server_process(server_process&& other) noexcept
        : child_(std::exchange(other.child_, -1)), port_(other.port_) {}
    server_process& operator=(server_process&&) = delete;
    ~server_process() {
        if (child_ <= 0)
            return;
        ::kill(child_, SIGKILL);
        ::waitpid(child_, nullptr, 0);
    }

    /// 0: it did not start.
    [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
    [[nodiscard]] bool is_alive() const noexcept { return ::waitpid(child_, nullptr, WNOHANG) == 0; }
    /// The processor time of all of its threads.
    [[nodiscard]] std::chrono::nanoseconds cpu_time() const noexcept {
        clockid_t clock{};
        timespec spent{};
        ::clock_getcpuclockid(child_, &clock);
        ::clock_gettime(clock, &spent);
        return std::chrono::seconds(spent.tv_sec) + std::chrono::nanoseconds(spent.tv_nsec);
    }

private:
    server_process(pid_t child, std::uint16_t port) noexcept : child_(child), port_(port) {}

    static std::uint16_t free_port() {
        const int probe = listen_on();
        const std::uint16_t port = port_of(probe);
        ::close(probe);
        return port;
    }

    pid_t child_;
    std::uint16_t port_;
};

}  // namespace course
