#pragma once

#include <eddy/base/clock.hpp>
#include <eddy/core/task.hpp>
#include <eddy/integrations/pq/connection.hpp>
#include <eddy/integrations/pq/pool_options.hpp>
#include <eddy/sync/semaphore.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace eddy::pq {

namespace detail {
class pool_state;
}  // namespace detail

/// A connection of a pool's, in use: `co_await lease->query(...)`. Moves, does not copy; destroyed, the
/// connection goes back to the pool. A command or transaction that was dropped on it is ended first, in the
/// background, and its place in the pool stays taken until then. A connection that is lost is not kept.
class [[nodiscard]] pooled_connection {
public:
    pooled_connection(pooled_connection&& other) noexcept = default;
    pooled_connection& operator=(pooled_connection&&) = delete;
    ~pooled_connection();

    [[nodiscard]] connection* operator->() noexcept { return &*connection_; }
    [[nodiscard]] connection& operator*() noexcept { return *connection_; }

private:
    friend class detail::pool_state;
    pooled_connection(std::shared_ptr<detail::pool_state> pool, semaphore_permit permit, connection taken,
                      time_point made_at) noexcept
        : pool_(std::move(pool)),
          permit_(std::move(permit)),
          connection_(std::move(taken)),
          made_at_(made_at) {}

    std::shared_ptr<detail::pool_state> pool_;  // null once moved from; goes after the permit
    semaphore_permit permit_;
    std::optional<connection> connection_;
    time_point made_at_;
};

/// Connections that are made when they are needed, kept, and used again.
///
///     pq::pool database(pq::connection_options("postgresql:///shop"));
///     auto items = co_await database.query("select id, name from item where id = $1", id);
///
/// - Order: who waits for a connection is served in the order of coming.
/// - What the server has closed is found out before it is given out, as far as that shows, and replaced;
/// while
///   no server can be reached, acquire() tries again (pool_options::reconnect_delay()).
/// - Ownership: moves, does not copy. It may go before the connections that it gave.
/// - Cancellation: a dropped acquire() leaves the queue.
/// - Thread safety: none; it belongs to the worker on which it is used. A pool for each worker is the way.
class pool {
public:
    explicit pool(connection_options connect_to, pool_options limits = {});
    pool(pool&& other) noexcept = default;
    pool& operator=(pool&& other) noexcept = default;
    /// Closes the connections that nobody uses; the others are closed when they come back.
    ~pool();

    /// Waits for a connection. Throws pq::error: pool_timed_out if all were in use for too long,
    /// connect_failed or connect_timed_out with the last reason if none could be made in time, pool_closed.
    [[nodiscard]] task<pooled_connection> acquire();

    /// Runs one command on a connection of the pool: connection::query(). acquire_timeout limits the wait for
    /// the connection, with_timeout() the whole.
    template <class... Values>
    [[nodiscard]] task<result> query(std::string sql, const Values&... values) {
        return run(command(std::move(sql), values...));
    }
    [[nodiscard]] task<result> run(command asked);

    /// Gives no more connections, and waits until all that it gave have come back and are closed.
    [[nodiscard]] task<> close();

    /// Connections that nobody uses, and those that somebody does or that are being made or brought back.
    [[nodiscard]] std::size_t idle_count() const noexcept;
    [[nodiscard]] std::size_t busy_count() const noexcept;

private:
    std::shared_ptr<detail::pool_state> state_;
};

}  // namespace eddy::pq
