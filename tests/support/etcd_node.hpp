#pragma once

#include "support/free_port.hpp"
#include "support/scratch_directory.hpp"
#include "support/uninterrupted.hpp"

#include <csignal>
#include <cstdint>
#include <fcntl.h>
#include <spawn.h>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

extern char** environ;

namespace eddy::test {

/// An etcd of the test's own on 127.0.0.1, which goes with this object, and so does what it keeps. It is ready some time
/// after it was started: clients try again until it is.
class etcd_node {
public:
    explicit etcd_node(std::string name = "alone", std::vector<std::string> arguments = {})
        : name_(std::move(name)), arguments_(std::move(arguments)) {}
    etcd_node(const etcd_node&) = delete;
    etcd_node& operator=(const etcd_node&) = delete;
    ~etcd_node() { stop(); }

    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    [[nodiscard]] std::uint16_t client_port() const noexcept { return client_port_; }
    [[nodiscard]] std::uint16_t peer_port() const noexcept { return peer_port_; }
    [[nodiscard]] std::string endpoint() const { return scheme_ + url(client_port_).substr(4); }
    [[nodiscard]] bool is_running() const noexcept { return process_ != 0; }
    [[nodiscard]] std::string log() const { return directory_.read("log"); }
    [[nodiscard]] const scratch_directory& directory() const noexcept { return directory_; }
    /// For before start(): with this certificate and key, files of directory(), it speaks TLS.
    void use_tls(const std::string& certificate, const std::string& key) {
        scheme_ = "https";
        add_arguments({"--cert-file", directory_.at(certificate), "--key-file", directory_.at(key)});
    }
    /// For before start().
    void add_arguments(const std::vector<std::string>& more) {
        arguments_.insert(arguments_.end(), more.begin(), more.end());
    }
    [[nodiscard]] static std::string url(std::uint16_t port) {
        return "http://127.0.0.1:" + std::to_string(port);
    }

    /// Also again, with what it had kept.
    etcd_node& start() {
        std::vector<std::string> words{"etcd",
                                       "--name",
                                       name_,
                                       "--data-dir",
                                       directory_.at("data"),
                                       "--listen-client-urls",
                                       endpoint(),
                                       "--advertise-client-urls",
                                       endpoint(),
                                       "--listen-peer-urls",
                                       url(peer_port_),
                                       "--heartbeat-interval",
                                       "50",
                                       "--election-timeout",
                                       "500",
                                       "--pre-vote"};
        words.insert(words.end(), arguments_.begin(), arguments_.end());
        std::vector<char*> list;
        for (std::string& each : words)
            list.push_back(each.data());
        list.push_back(nullptr);
        posix_spawn_file_actions_t actions;
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, directory_.at("log").c_str(),
                                           O_WRONLY | O_CREAT | O_APPEND, 0600);
        ::posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
        const int failure = ::posix_spawnp(&process_, "etcd", &actions, nullptr, list.data(), environ);
        ::posix_spawn_file_actions_destroy(&actions);
        if (failure != 0) {
            process_ = 0;
            throw std::runtime_error("etcd does not start: is it installed?");
        }
        return *this;
    }
    /// Ends it at once, and waits for its end.
    void stop() {
        if (process_ == 0)
            return;
        ::kill(process_, SIGKILL);
        int status = 0;
        uninterrupted([&] { return ::waitpid(process_, &status, 0); });
        process_ = 0;
    }
    /// Once this returns it does nothing until it may go on.
    void suspend() const {
        ::kill(process_, SIGSTOP);
        int status = 0;
        uninterrupted([&] { return ::waitpid(process_, &status, WUNTRACED); });
    }
    void go_on() const { ::kill(process_, SIGCONT); }

private:
    std::string name_;
    std::string scheme_ = "http";
    std::vector<std::string> arguments_;
    scratch_directory directory_;
    std::uint16_t client_port_ = free_port();
    std::uint16_t peer_port_ = free_port();
    pid_t process_ = 0;
};

}  // namespace eddy::test
