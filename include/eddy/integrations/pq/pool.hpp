#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/core/task.hpp>
#include <eddy/integrations/pq/connection.hpp>
#include <eddy/sync/semaphore.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace eddy::pq {

/// The limits of a pool. Setters chain.
class pool_options {
public:
    pool_options() noexcept = default;

    /// The greatest number of connections. 10; 0 counts as one.
    pool_options& size_max(std::size_t connections) noexcept {
        size_max_ = connections;
        return *this;
    }
    /// How long acquire() may take in all: waiting for others, connecting, trying again. 5 s.
    pool_options& acquire_timeout(duration limit) noexcept {
        acquire_timeout_ = limit;
        return *this;
    }
    /// A connection that was idle for so long is checked with `select 1` before it is handed out again. Of
    /// others only the socket is checked, which detects most that have ended. 30 s.
    pool_options& check_after_idle(duration length) noexcept {
        check_after_idle_ = length;
        return *this;
    }
    /// How long that, and each other check, may take; a connection that takes longer is closed. 1 s.
    pool_options& check_timeout(duration limit) noexcept {
        check_timeout_ = limit;
        return *this;
    }
    /// A connection that was idle for so long is closed. 10 min.
    pool_options& idle_max(duration length) noexcept {
        idle_max_ = length;
        return *this;
    }
    /// A connection that is older is not handed out again. 1 h.
    pool_options& age_max(duration length) noexcept {
        age_max_ = length;
        return *this;
    }
    /// When the server takes no connection, the pool tries again after `first`, then after twice as long each
    /// time, `longest` at most, for as long as acquire_timeout allows. 50 ms and 1 s.
    pool_options& reconnect_delay(duration first, duration longest) noexcept {
        reconnect_delay_first_ = first;
        reconnect_delay_max_ = longest;
        return *this;
    }

    [[nodiscard]] std::size_t size_max() const noexcept { return size_max_; }
    [[nodiscard]] duration acquire_timeout() const noexcept { return acquire_timeout_; }
    [[nodiscard]] duration check_after_idle() const noexcept { return check_after_idle_; }
    [[nodiscard]] duration check_timeout() const noexcept { return check_timeout_; }
    [[nodiscard]] duration idle_max() const noexcept { return idle_max_; }
    [[nodiscard]] duration age_max() const noexcept { return age_max_; }
    /// The pause behind the first failed attempt to connect.
    [[nodiscard]] duration reconnect_delay_first() const noexcept { return reconnect_delay_first_; }
    /// The longest pause between attempts.
    [[nodiscard]] duration reconnect_delay_max() const noexcept { return reconnect_delay_max_; }

private:
    std::size_t size_max_ = 10;
    duration acquire_timeout_ = std::chrono::seconds(5);
    duration check_after_idle_ = std::chrono::seconds(30);
    duration check_timeout_ = std::chrono::seconds(1);
    duration idle_max_ = std::chrono::minutes(10);
    duration age_max_ = std::chrono::hours(1);
    duration reconnect_delay_first_ = std::chrono::milliseconds(50);
    duration reconnect_delay_max_ = std::chrono::seconds(1);
};

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

    /// The connection, which goes back to the pool with this.
    [[nodiscard]] connection* operator->() noexcept { return &*connection_; }
    /// The connection, which goes back to the pool with this.
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
/// - Order: tasks that wait for a connection get one in the order of their calls.
/// - A connection that the server has visibly closed is replaced before it is handed out; while no server can
///   be reached, acquire() tries again (pool_options::reconnect_delay()).
/// - Ownership: moves, does not copy. It may be destroyed before the connections that it handed out.
/// - Cancellation: a dropped acquire() leaves the queue.
/// - Thread safety: none; it belongs to the worker on which it is used. Make a pool for each worker.
class pool {
public:
    /// Connects when a connection is needed.
    explicit pool(connection_options connect_to, pool_options limits = {});
    pool(pool&& other) noexcept = default;
    pool& operator=(pool&& other) noexcept = default;
    /// Closes the idle connections; the others are closed when they come back.
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
    /// Runs a command on a connection of the pool.
    [[nodiscard]] task<result> run(command cmd);

    /// Hands out no more connections, and waits until all that it handed out have come back and are closed.
    [[nodiscard]] task<> close();

    /// Idle connections, and those that are in use, being made or being recovered.
    [[nodiscard]] std::size_t idle_count() const noexcept;
    /// How many connections are in use.
    [[nodiscard]] std::size_t busy_count() const noexcept;

private:
    std::shared_ptr<detail::pool_state> state_;
};

}  // namespace eddy::pq
