#pragma once

#include "support/free_port.hpp"
#include "support/scratch_directory.hpp"
#include "support/uninterrupted.hpp"

#include <eddy/integrations/redis/options.hpp>

#include <arpa/inet.h>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <spawn.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

extern char** environ;

namespace eddy::test {

/// A redis-server of the test's own on 127.0.0.1, which keeps nothing on the disk and goes with this object.
/// What starts or stops it waits until that is so.
class redis_server {
public:
    /// More arguments as on the command line: {"--requirepass", "secret"}.
    explicit redis_server(std::vector<std::string> arguments = {}) : arguments_(std::move(arguments)) {
        if (!launch())
            throw std::runtime_error("redis-server does not start: " + said_);
    }
    redis_server(const redis_server&) = delete;
    redis_server& operator=(const redis_server&) = delete;
    ~redis_server() { stop(SIGKILL); }

    [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
    [[nodiscard]] std::string socket_path() const { return directory_.at("redis.sock"); }
    [[nodiscard]] redis::options options() const { return redis::options().port(port_); }
    [[nodiscard]] std::string at(std::string_view path) const { return directory_.at(path); }

    /// Ends it and waits for its end. It may be started again, on the same port and without what it held.
    void stop(int signal = SIGTERM) {
        if (process_ == 0)
            return;
        ::kill(process_, SIGCONT);
        ::kill(process_, signal);
        int status = 0;
        uninterrupted([&] { return ::waitpid(process_, &status, 0); });
        process_ = 0;
        ::close(std::exchange(output_, -1));
    }
    void start() {
        if (!launch())
            throw std::runtime_error("redis-server does not start: " + said_);
    }
    /// It answers nobody until it may go on.
    void suspend() const { ::kill(process_, SIGSTOP); }
    void go_on() const { ::kill(process_, SIGCONT); }

private:
    bool launch() {
        std::vector<std::string> words{"redis-server",
                                       "--port",
                                       std::to_string(port_),
                                       "--bind",
                                       "127.0.0.1",
                                       "--save",
                                       "",
                                       "--appendonly",
                                       "no",
                                       "--dir",
                                       directory_.root(),
                                       "--unixsocket",
                                       socket_path()};
        words.insert(words.end(), arguments_.begin(), arguments_.end());
        std::vector<char*> list;
        for (std::string& each : words)
            list.push_back(each.data());
        list.push_back(nullptr);
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0)
            return false;
        posix_spawn_file_actions_t actions;
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
        const int failure =
            ::posix_spawnp(&process_, "redis-server", &actions, nullptr, list.data(), environ);
        ::posix_spawn_file_actions_destroy(&actions);
        ::close(ends[1]);
        output_ = ends[0];
        if (failure != 0) {
            process_ = 0;
            ::close(std::exchange(output_, -1));
            said_ = "is it installed?";
            return false;
        }
        if (is_ready())
            return true;
        stop(SIGKILL);
        return false;
    }
    /// Reads what it says until it accepts connections. Its log is short, so the rest fits into the pipe.
    bool is_ready() {
        said_.clear();
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (std::chrono::steady_clock::now() < end) {
            pollfd waiting{output_, POLLIN, 0};
            if (::poll(&waiting, 1, 100) <= 0)
                continue;
            char some[4096];
            const ssize_t count = ::read(output_, some, sizeof some);
            if (count <= 0)
                return false;
            said_.append(some, static_cast<std::size_t>(count));
            if (said_.find("Ready to accept connections") != std::string::npos)
                return true;
        }
        return false;
    }

    scratch_directory directory_;
    std::vector<std::string> arguments_;
    std::string said_;
    std::uint16_t port_ = free_port();
    pid_t process_ = 0;
    int output_ = -1;
};

}  // namespace eddy::test
