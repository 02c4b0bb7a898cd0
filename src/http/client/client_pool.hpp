#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/client/client_connection.hpp>
#include <eddy/http/client/client_options.hpp>
#include <eddy/http/message/url.hpp>
#include <eddy/sync/semaphore.hpp>

#include <cstddef>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace eddy::http {

/// How a request gets to its origin. What has the same key shares connections.
class client_route {
public:
    /// Throws http_error::unsupported_scheme.
    client_route(const url& to, const client_options& options);

    [[nodiscard]] const std::string& key() const noexcept { return key_; }
    [[nodiscard]] const url& origin() const noexcept { return origin_; }
    [[nodiscard]] const std::optional<url>& proxy() const noexcept { return proxy_; }
    [[nodiscard]] bool is_secure() const noexcept { return origin_.is_secure(); }
    /// Whether the proxy opens a tunnel rather than fetches the resource.
    [[nodiscard]] bool is_tunnelled() const noexcept { return proxy_ && is_secure(); }
    [[nodiscard]] bool asks_proxy() const noexcept { return proxy_ && !is_secure(); }
    [[nodiscard]] client_target first_hop() const;
    /// The value of Proxy-Authorization; empty if there is none.
    [[nodiscard]] std::string proxy_credentials() const;

private:
    url origin_;
    std::optional<url> proxy_;
    std::string key_;
};

/// "Basic ..." from the user information of a URL; empty without any.
[[nodiscard]] std::string basic_credentials(const url& of);

class pooled_connection;

/// The connections of a client. Each origin has a number of permits, and so has the client; a request that
/// holds one of each takes an idle connection or makes one. So at most that many are in use, waiters come in
/// order, and a dropped wait passes its permits on.
///
/// An idle connection is watched: when the server closes it, or sends anything, it is closed and not used
/// again. A task closes those that have been idle for too long.
class client_pool : public std::enable_shared_from_this<client_pool> {
public:
    explicit client_pool(client_options options);
    client_pool(const client_pool&) = delete;
    client_pool& operator=(const client_pool&) = delete;
    ~client_pool();

    /// Requires: the pool and the route outlive the task. `fresh`: none that was used before.
    [[nodiscard]] task<pooled_connection> acquire(const client_route& route, bool fresh, time_point end);

    [[nodiscard]] const client_options& options() const noexcept { return options_; }
    [[nodiscard]] cookie_jar& cookies() noexcept { return cookies_; }
    [[nodiscard]] std::size_t idle_connections() const noexcept { return idle_count_; }
    void close_idle();

private:
    friend class pooled_connection;
    struct idle_connection;
    struct origin_state;
    class origin_use;

    [[nodiscard]] origin_state& origin_of(const std::string& key);
    [[nodiscard]] std::unique_ptr<client_connection> take_idle(origin_state& origin);
    void give_back(origin_state& origin, std::unique_ptr<client_connection> connection);
    void make_room();
    void remove_unused(origin_state& origin);
    std::optional<time_point> sweep(time_point now);
    [[nodiscard]] task<> sweep_now_and_then();
    [[nodiscard]] task<any_stream> open(const client_route& route);
    [[nodiscard]] task<any_stream> open_tunnel(any_stream proxy, const client_route& route);
    [[nodiscard]] const tls_context& tls();

    client_options options_;
    cookie_jar cookies_;
    std::optional<tls_context> tls_;
    semaphore permits_;
    std::unordered_map<std::string, std::unique_ptr<origin_state>> origins_;
    std::size_t idle_count_ = 0;
    handle<> sweeper_;
};

/// A connection that is in use, with its permits. Destroying it closes it; give_back() keeps it.
class pooled_connection {
public:
    pooled_connection(std::shared_ptr<client_pool> pool, client_pool::origin_state& origin,
                      semaphore_permit own, semaphore_permit total) noexcept;
    pooled_connection(pooled_connection&& other) noexcept;
    pooled_connection& operator=(pooled_connection&&) = delete;
    ~pooled_connection();

    [[nodiscard]] client_connection& connection() noexcept { return *connection_; }
    /// Whether it had been used before it was acquired.
    [[nodiscard]] bool is_reused() const noexcept { return is_reused_; }
    [[nodiscard]] bool is_held() const noexcept { return connection_ != nullptr; }
    [[nodiscard]] const client_connection& connection() const noexcept { return *connection_; }
    [[nodiscard]] const client_options& options() const noexcept { return pool_->options(); }
    /// Requires: no task uses it any more.
    void give_back();
    /// Closes it and returns the permits.
    void abandon();

private:
    friend class client_pool;

    std::shared_ptr<client_pool> pool_;
    client_pool::origin_state* origin_;
    std::unique_ptr<client_connection> connection_;
    semaphore_permit own_;
    semaphore_permit total_;
    bool is_reused_ = false;
};

}  // namespace eddy::http
