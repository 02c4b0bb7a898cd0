#pragma once

#include "http/client/client_carrier.hpp"
#include "http/client/client_protocol.hpp"
#include "http/client/client_route.hpp"
#include "http/client/http1_carrier.hpp"

#include <eddy/core/clock.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/client/client_options.hpp>
#include <eddy/sync/event.hpp>
#include <eddy/sync/semaphore.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

namespace eddy::http {

/// The connections of a client. Each origin has a number of permits, and so has the client; a request that
/// holds one of each takes an idle connection or makes one. So at most that many are in use, waiters come in
/// order, and a dropped wait passes its permits on.
///
/// A connection that requests share (HTTP/2) holds permits while there are some on it. While it is not known whether
/// an origin speaks like this, one connection at a time is opened there, and other requests wait for what it turns
/// out to be; so they do when all connections are full, for room on one of them or for a permit.
///
/// An idle connection is watched: when the server closes it, or sends anything, it is closed and not used
/// again. A task closes those that have been idle for too long.
/// Visible, since another library of ours calls it.
class [[gnu::visibility("default")]] client_pool {
public:
    explicit client_pool(client_options options);
    client_pool(const client_pool&) = delete;
    client_pool& operator=(const client_pool&) = delete;
    ~client_pool();

    /// What a request accepts.
    enum class choice : std::uint8_t {
        any,
        unused,        ///< no connection of HTTP/1 that was used before
        unused_http1,  ///< such a one, and no other protocol
    };
    [[nodiscard]] client_route route_to(const url& to) const;
    /// Requires: the pool outlives the task and what it returns, and the route outlives the task.
    [[nodiscard]] task<carrier_handle> acquire(const client_route& route, choice wanted, time_point end);

    [[nodiscard]] const client_options& options() const noexcept { return options_; }
    [[nodiscard]] cookie_jar& cookies() noexcept { return cookies_; }
    [[nodiscard]] std::size_t idle_connections() const noexcept { return idle_count_; }
    void close_idle();
    /// Whether there is a shared connection that takes requests.
    [[nodiscard]] bool is_connected() const noexcept;
    /// Awaited: waits until the next one takes no more.
    [[nodiscard]] auto connection_lost() noexcept { return lost_.wait(); }

    // -- for connections --

    void keep(client_origin& origin, std::unique_ptr<http1_carrier> connection);
    /// A shared connection has more room, or an exchange less, or has become useless.
    void changed(shared_connection& connection) noexcept;
    /// The same one has ended: destroys it.
    void ended(shared_connection& connection) noexcept;
    /// A user of an origin begins, or ends: what is kept for an origin without any goes.
    void enter(client_origin& origin) noexcept;
    void leave(client_origin& origin) noexcept;

private:
    struct held_permits;
    class origin_use;
    class opening_turn;

    [[nodiscard]] client_origin& origin_of(const std::string& key);
    [[nodiscard]] bool may_share(const client_route& route, choice wanted);
    [[nodiscard]] task<held_permits> permits_of(client_origin& origin);
    [[nodiscard]] task<held_permits> permits_or_room(client_origin& origin);
    [[nodiscard]] task<held_permits> room_of(client_origin& origin);
    [[nodiscard]] held_permits permits_at_once(client_origin& origin) noexcept;
    [[nodiscard]] carrier_handle join(client_origin& origin, held_permits& permits);
    void forget_idle(shared_connection& connection) noexcept;
    void note_loss() noexcept;
    [[nodiscard]] std::unique_ptr<http1_carrier> take_idle(client_origin& origin);
    [[nodiscard]] task<carrier_handle> connect(const client_route& route, client_origin& origin,
                                               held_permits permits, bool offers_shared, time_point end);
    void remove_unused(client_origin& origin) noexcept;
    void make_room();
    std::optional<time_point> sweep(time_point now);
    [[nodiscard]] task<> sweep_now_and_then();
    void start_sweeping();
    struct opened;
    [[nodiscard]] task<opened> open(const client_route& route, bool offers_shared);
    [[nodiscard]] task<any_stream> open_tunnel(any_stream proxy, const client_route& route);
    [[nodiscard]] const tls_context& tls();

    client_options options_;
    cookie_jar cookies_;
    std::optional<tls_context> tls_;
    semaphore permits_;
    std::unique_ptr<client_protocol> protocol_;  // made when it is first needed
    std::unordered_map<std::string, std::unique_ptr<client_origin>> origins_;
    std::size_t idle_count_ = 0;
    event<> lost_;
    handle<> sweeper_;
};

}  // namespace eddy::http
