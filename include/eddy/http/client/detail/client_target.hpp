#pragma once

#include <eddy/detail/build.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace eddy::http {

/// Where a client makes a connection to: a host and a port, or a local socket. A value.
class client_target {
public:
    client_target(std::string host, std::uint16_t port) : host_(std::move(host)), port_(port) {}
    /// The path of a local socket.
    [[nodiscard]] static client_target local(std::string path) {
        client_target made({}, 0);
        made.local_path_ = std::move(path);
        return made;
    }

    [[nodiscard]] bool is_local() const noexcept { return !local_path_.empty(); }
    [[nodiscard]] const std::string& host() const noexcept { return host_; }
    [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
    [[nodiscard]] const std::string& local_path() const noexcept { return local_path_; }

private:
    std::string host_;
    std::uint16_t port_;
    std::string local_path_;
};

}  // namespace eddy::http
