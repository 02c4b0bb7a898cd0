#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/rpc/channel.hpp>

#include <chrono>
#include <string>
#include <utility>

namespace eddy::etcd {

/// How a client behaves. A value; setters chain.
class client_options {
public:
    client_options() = default;

    /// With which etcd knows the client, where it has authentication. None by default.
    client_options& user(std::string name, std::string password) {
        user_ = std::move(name);
        password_ = std::move(password);
        return *this;
    }
    /// TLS, compression and more of the channels to the nodes. The client sets limits of its own for messages.
    client_options& channel(rpc::channel_options options) {
        channel_ = std::move(options);
        return *this;
    }
    /// How long a request may take, with all its attempts; 10 s by default.
    client_options& request_time(duration limit) noexcept {
        request_time_ = limit;
        return *this;
    }
    /// How long a node may take to accept a connection, or to respond to a request that can be made again, before the
    /// next one is tried; 2 s by default.
    client_options& attempt_time(duration limit) noexcept {
        attempt_time_ = limit;
        return *this;
    }
    /// How long a watch hears nothing of its node before it requests a sign of life, for which the node has
    /// attempt_time(); 5 s by default.
    client_options& watch_check_time(duration silence) noexcept {
        watch_check_time_ = silence;
        return *this;
    }

    [[nodiscard]] const std::string& user() const noexcept { return user_; }
    /// That of user().
    [[nodiscard]] const std::string& password() const noexcept { return password_; }
    [[nodiscard]] const rpc::channel_options& channel() const noexcept { return channel_; }
    [[nodiscard]] duration request_time() const noexcept { return request_time_; }
    [[nodiscard]] duration attempt_time() const noexcept { return attempt_time_; }
    [[nodiscard]] duration watch_check_time() const noexcept { return watch_check_time_; }

private:
    std::string user_;
    std::string password_;
    rpc::channel_options channel_;
    duration request_time_ = std::chrono::seconds(10);
    duration attempt_time_ = std::chrono::seconds(2);
    duration watch_check_time_ = std::chrono::seconds(5);
};

}  // namespace eddy::etcd
