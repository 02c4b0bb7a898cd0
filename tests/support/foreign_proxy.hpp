#pragma once

#include "support/free_port.hpp"
#include "support/listening.hpp"
#include "support/place_of.hpp"
#include "support/scratch_directory.hpp"

#include <eddy/core/task.hpp>
#include <eddy/os/command.hpp>

#include <csignal>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::test {

/// A proxy on 127.0.0.1 that others have written: tinyproxy for HTTP, microsocks for SOCKS5. It goes with
/// this object.
class foreign_proxy {
public:
    enum class kind : std::uint8_t { http, socks };

    explicit foreign_proxy(kind of) : kind_(of) {}
    /// One that wants a login, of letters and digits.
    foreign_proxy(kind of, std::string user, std::string password)
        : kind_(of), user_(std::move(user)), password_(std::move(password)) {}

    [[nodiscard]] static bool is_installed(kind which) { return !place_of(program(which)).empty(); }

    /// Starts it, and waits until it takes connections.
    task<> start() {
        const std::string number = std::to_string(port_);
        command run(place_of(program(kind_)));
        if (kind_ == kind::http) {
            directory_.write("tinyproxy.conf",
                             "Port " + number + "\nListen 127.0.0.1\nLogLevel Critical\n" +
                                 (user_.empty() ? "" : "BasicAuth " + user_ + " " + password_ + "\n"));
            run.arguments("-d", "-c", directory_.at("tinyproxy.conf"));
        } else {
            run.arguments("-i", "127.0.0.1", "-p", number);
            if (!user_.empty())
                run.arguments("-u", user_, "-P", password_);
        }
        run.output(child_stream::null()).error(child_stream::null());
        running_ = co_await run.start();
        co_await until_listening(*running_, port_);
    }
    /// Ends it, with all connections through it, and waits for its end.
    task<> stop() {
        running_->kill();
        static_cast<void>(co_await running_->wait());
    }
    /// It takes connections, since the system does, and says nothing.
    void suspend() { running_->send(SIGSTOP); }

    [[nodiscard]] std::uint16_t port() const { return port_; }
    [[nodiscard]] std::string url(std::string_view scheme) const {
        return std::string(scheme) + "://127.0.0.1:" + std::to_string(port_);
    }

private:
    static const char* program(kind which) { return which == kind::http ? "tinyproxy" : "microsocks"; }

    kind kind_;
    std::string user_;
    std::string password_;
    std::uint16_t port_ = free_port();
    scratch_directory directory_;
    std::optional<child> running_;
};

}  // namespace eddy::test
