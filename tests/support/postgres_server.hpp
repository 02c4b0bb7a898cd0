#pragma once

#include "support/free_port.hpp"
#include "support/scratch_directory.hpp"

#include <gtest/gtest.h>

#include <array>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <netinet/in.h>
#include <spawn.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace eddy::test {

/// A PostgreSQL server of the test's own, in a temporary directory (postgres.sh), which ends with it. Started
/// and used outside of tasks: starting it blocks.
class postgres_server {
public:
    explicit postgres_server(std::vector<std::string> settings = {})
        : settings_(std::move(settings)), port_(free_port()) {
        start();
    }
    postgres_server(const postgres_server&) = delete;
    postgres_server& operator=(const postgres_server&) = delete;
    ~postgres_server() { stop(); }

    /// The one that the tests of a program share.
    static postgres_server& shared() {
        static postgres_server server;
        return server;
    }

    /// The directory of its Unix socket.
    [[nodiscard]] std::string directory() const { return directory_.root(); }
    [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
    /// Connection strings.
    [[nodiscard]] std::string local() const {
        return "host='" + directory() + "' port=" + std::to_string(port_) + " user=postgres dbname=postgres";
    }
    [[nodiscard]] std::string remote() const {
        return "postgresql://postgres@127.0.0.1:" + std::to_string(port_) + "/postgres";
    }
    /// Lays a file beside its data, where server.crt and server.key are looked for, say. It is the server's,
    /// and nobody else's, from the next start() on.
    void write_data(const std::string& name, const std::string& content) const {
        directory_.write("data/" + name, content);
        ::chmod(directory_.at("data/" + name).c_str(), 0600);
    }

    /// Ends it at once, connections included.
    void stop() {
        if (process_ > 0) {
            ::kill(process_, SIGQUIT);
            while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
            }
            process_ = -1;
            log_reader_.join();
        }
    }
    /// Starts it again, on the same port, with what it had stored.
    void start() {
        std::array<int, 2> log{};
        if (::pipe2(log.data(), O_CLOEXEC) != 0)
            throw std::runtime_error("pipe2");
        is_ready_ = false;
        spawn_script(log[1]);
        ::close(log[1]);
        log_reader_ = std::thread([this, from = log[0]] { read_log(from); });
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return is_ready_ || has_ended_; });
        if (!is_ready_) {
            lock.unlock();
            stop();
            throw std::runtime_error("PostgreSQL did not start: " + log_);
        }
    }

private:
    void spawn_script(int log) {
        posix_spawn_file_actions_t actions;
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawn_file_actions_adddup2(&actions, log, STDOUT_FILENO);
        ::posix_spawn_file_actions_adddup2(&actions, log, STDERR_FILENO);
        std::vector<std::string> words = {EDDY_POSTGRES_SCRIPT, directory(), std::to_string(port_),
                                          EDDY_POSTGRES_TEMPLATE};
        words.insert(words.end(), settings_.begin(), settings_.end());
        std::vector<char*> arguments;
        for (std::string& word : words)
            arguments.push_back(word.data());
        arguments.push_back(nullptr);
        const int result =
            ::posix_spawn(&process_, EDDY_POSTGRES_SCRIPT, &actions, nullptr, arguments.data(), environ);
        ::posix_spawn_file_actions_destroy(&actions);
        if (result != 0)
            throw std::runtime_error("postgres.sh: " + std::string(std::strerror(result)));
        has_ended_ = false;
    }
    void read_log(int from) {
        std::array<char, 4096> bytes{};
        for (;;) {
            const ssize_t count = ::read(from, bytes.data(), bytes.size());
            if (count < 0 && errno == EINTR)
                continue;
            const std::lock_guard lock(mutex_);
            if (count <= 0)
                break;
            log_.append(bytes.data(), static_cast<std::size_t>(count));
            is_ready_ = is_ready_ || log_.contains("ready to accept connections");
            changed_.notify_all();
        }
        ::close(from);
        const std::lock_guard lock(mutex_);
        log_.clear();
        has_ended_ = true;
        changed_.notify_all();
    }

    scratch_directory directory_;
    std::vector<std::string> settings_;
    std::uint16_t port_;
    pid_t process_ = -1;
    std::thread log_reader_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::string log_;
    bool is_ready_ = false;
    bool has_ended_ = false;
};

}  // namespace eddy::test
