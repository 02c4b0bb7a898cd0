#pragma once

#include <eddy/core/task.hpp>

#include <cstdint>
#include <string>

namespace eddy::pq::detail {

/// Requests that a server end the command that runs on a connection (PostgreSQL's manual, "Canceling Requests
/// in Progress"), by 16 bytes over a connection of its own. libpq's PQcancel() does the same, but blocks.
///
/// The server accepts it before TLS and authentication, so the connection is a plain one, as PQcancel()'s is:
/// an eavesdropper can cancel that session's commands, and do nothing else.
class cancel_request {
public:
    /// `address`: a numeric one, or the path of the directory of a Unix socket. `port` as text.
    cancel_request(std::string address, std::string port, std::int32_t process, std::int32_t secret) noexcept
        : address_(std::move(address)), port_(std::move(port)), process_(process), secret_(secret) {}

    /// Sends it and waits until the server has passed it on, which says nothing about its effect. Throws
    /// std::system_error. Dropped: it was sent or not.
    [[nodiscard]] task<> send() const;

private:
    std::string address_;
    std::string port_;
    std::int32_t process_;
    std::int32_t secret_;
};

}  // namespace eddy::pq::detail
