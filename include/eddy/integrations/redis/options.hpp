#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/integrations/redis/detail/reply_limits.hpp>
#include <eddy/tls/tls_context.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::redis {

/// What has become of a connection that is made again by itself.
class connection_event {
public:
    /// What can happen.
    enum class kind : std::uint8_t {
        /// A connection is there.
        connected,
        /// A connection has ended.
        lost,
        /// An attempt to connect has failed.
        refused,
    };

    /// Made by the client.
    connection_event(kind happened, std::string why, duration pause_after) noexcept
        : what(happened), reason(std::move(why)), pause(pause_after) {}

    /// What has happened.
    kind what;
    std::string reason;  ///< why it was lost, or could not be made
    duration pause;      ///< how long nothing is tried after that
};
/// Is called with what happens to connections.
using event_handler = std::function<void(const connection_event&)>;

/// Where the server is and how it is used. A value; setters chain. A time of zero means no limit, or never.
///
/// URLs: `redis://[[user]:password@]host[:port][/database]`, `rediss://...` for TLS, and
/// `unix://[[user]:password@]/path/of/socket[?db=N]` (`redis+unix:` is the same). Users, passwords and paths
/// may be percent-encoded.
class options {
public:
    options() = default;
    /// Throws std::invalid_argument, with a message that does not contain the password.
    [[nodiscard]] static options from_url(std::string_view url);

    /// "127.0.0.1" and 6379 by default.
    options& host(std::string name) { return host_ = std::move(name), *this; }
    /// The port of the server.
    options& port(std::uint16_t number) noexcept { return port_ = number, *this; }
    /// A local socket in place of host and port.
    options& local_path(std::string path) { return local_path_ = std::move(path), *this; }
    /// Without a user the password is that of the default user.
    options& user(std::string name) { return user_ = std::move(name), *this; }
    /// The password; empty for none.
    options& password(std::string text) { return password_ = std::move(text), *this; }
    /// The number of the database.
    options& database(unsigned number) noexcept { return database_ = number, *this; }
    /// Shown by CLIENT LIST.
    options& client_name(std::string name) { return client_name_ = std::move(name), *this; }
    /// Speaks TLS; the certificate has to be for host(). A rediss URL sets a context with the system's trust.
    options& tls(tls_context context) { return tls_ = std::move(context), *this; }

    // In limits of time max() is none; zero, or less, ends what does not end at once.

    /// From the name to the end of AUTH. 5 s by default.
    options& connect_timeout(duration limit) noexcept { return connect_timeout_ = limit, *this; }
    /// A server that owes a reply and sends nothing for so long is lost (client_error::silent). 30 s by
    /// default; not for connections on which commands may block.
    options& health_timeout(duration limit) noexcept { return health_timeout_ = limit, *this; }
    /// An idle connection is probed with a PING after so long. 15 s by default; max(),
    /// zero or less: never.
    options& health_interval(duration interval) noexcept { return health_interval_ = interval, *this; }
    /// How large replies may be.
    options& limits(reply_limits wanted) noexcept { return limits_ = wanted, *this; }
    /// While more than this waits to be written, commands wait. 1 MiB by default.
    options& send_buffer_bytes(std::size_t bytes) noexcept { return send_buffer_bytes_ = bytes, *this; }

    /// The pause after a connection that could not be made: the first, doubled each time, up to the largest;
    /// each is a fifth longer or shorter by chance. 50 ms and 3 s by default.
    options& pauses(duration first, duration largest) noexcept {
        return pause_first_ = first, pause_max_ = largest, *this;
    }
    /// How long a command waits for a server that is away. Zero, the default, or less: it fails with what the
    /// last attempt has met.
    options& patience(duration limit) noexcept { return patience_ = limit, *this; }
    /// Connections of their own (client::dedicated_connection(), blocking commands) at the same time. 64 by
    /// default; 0 counts as 1.
    options& dedicated_connections_max(std::size_t count) noexcept {
        return dedicated_connections_max_ = count, *this;
    }
    /// Called by a client or subscriber, between the tasks of its worker; must not throw.
    options& on_event(event_handler handler) { return on_event_ = std::move(handler), *this; }

    [[nodiscard]] const std::string& host() const noexcept { return host_; }
    [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
    [[nodiscard]] const std::string& local_path() const noexcept { return local_path_; }
    [[nodiscard]] const std::string& user() const noexcept { return user_; }
    [[nodiscard]] const std::string& password() const noexcept { return password_; }
    [[nodiscard]] unsigned database() const noexcept { return database_; }
    [[nodiscard]] const std::string& client_name() const noexcept { return client_name_; }
    [[nodiscard]] const std::optional<tls_context>& tls() const noexcept { return tls_; }
    [[nodiscard]] duration connect_timeout() const noexcept { return connect_timeout_; }
    [[nodiscard]] duration health_timeout() const noexcept { return health_timeout_; }
    [[nodiscard]] duration health_interval() const noexcept { return health_interval_; }
    [[nodiscard]] const reply_limits& limits() const noexcept { return limits_; }
    [[nodiscard]] std::size_t send_buffer_bytes() const noexcept { return send_buffer_bytes_; }
    /// The pause behind the first failed attempt to connect.
    [[nodiscard]] duration pause_first() const noexcept { return pause_first_; }
    /// The longest pause between attempts.
    [[nodiscard]] duration pause_max() const noexcept { return pause_max_; }
    [[nodiscard]] duration patience() const noexcept { return patience_; }
    [[nodiscard]] std::size_t dedicated_connections_max() const noexcept {
        return dedicated_connections_max_;
    }
    [[nodiscard]] const event_handler& on_event() const noexcept { return on_event_; }
    /// For messages: "host:port" or the path.
    [[nodiscard]] std::string where() const;

private:
    std::string host_ = "127.0.0.1";
    std::string local_path_;
    std::string user_;
    std::string password_;
    std::string client_name_;
    std::optional<tls_context> tls_;
    std::uint16_t port_ = 6379;
    unsigned database_ = 0;
    duration connect_timeout_ = std::chrono::seconds(5);
    duration health_timeout_ = std::chrono::seconds(30);
    duration health_interval_ = std::chrono::seconds(15);
    duration pause_first_ = std::chrono::milliseconds(50);
    duration pause_max_ = std::chrono::seconds(3);
    duration patience_{};
    reply_limits limits_;
    std::size_t send_buffer_bytes_ = std::size_t{1} << 20;
    std::size_t dedicated_connections_max_ = 64;
    event_handler on_event_;
};

}  // namespace eddy::redis
