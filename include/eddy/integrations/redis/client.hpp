#pragma once

#include <eddy/core/task.hpp>
#include <eddy/integrations/redis/connection.hpp>
#include <eddy/integrations/redis/executor.hpp>
#include <eddy/integrations/redis/options.hpp>
#include <eddy/integrations/redis/request.hpp>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace eddy::redis {

namespace detail {
class client_state;
}

/// A connection that a client has lent to one user. Destroyed, it is closed, whatever was going on there;
/// give_back() keeps it for the next. Moves, does not copy.
class [[nodiscard]] dedicated_connection {
public:
    /// Made by client::dedicated_connection().
    dedicated_connection(std::shared_ptr<detail::client_state> owner,
                         std::unique_ptr<connection> lent) noexcept
        : owner_(std::move(owner)), lent_(std::move(lent)) {}
    dedicated_connection(dedicated_connection&&) noexcept = default;
    dedicated_connection& operator=(dedicated_connection&& other) noexcept {
        dedicated_connection taken(std::move(other));
        owner_.swap(taken.owner_);
        lent_.swap(taken.lent_);
        return *this;
    }
    ~dedicated_connection();

    /// The connection.
    [[nodiscard]] connection* operator->() const noexcept { return lent_.get(); }
    /// The connection.
    [[nodiscard]] connection& operator*() const noexcept { return *lent_; }

    /// Requires: nothing is left of what was done there: no WATCH, no MULTI, another database, a command
    /// without its reply. One that has failed is closed all the same.
    void give_back() && noexcept;

private:
    std::shared_ptr<detail::client_state> owner_;
    std::unique_ptr<connection> lent_;
};

namespace detail {
class client_state;
}

/// A server that is reached over one connection, which all tasks of this worker share (see connection) and
/// which is made when it is first needed, and again when it was lost; and over dedicated connections for
/// commands that must not share one.
///
/// - A connection that is lost: commands that wait for a reply get the error, since it is not known whether
///   they were carried out; none is sent twice. The next command connects again, and commands that come
///   meanwhile wait for that. If it fails, all commands fail at once with that error during a pause that
///   grows with each failure (options::pauses()), unless options::patience() makes them wait for a later
///   attempt.
/// - Health: see options::health_interval() and health_timeout().
/// - Ownership: moves, does not copy; it outlives the commands on it and what dedicated_connection() returns.
/// - Thread safety: none; a worker has a client of its own.
class client final : public executor {
public:
    /// Connects with the first command. Requires: the caller is on a worker.
    explicit client(options wanted);
    client(client&&) noexcept;
    client& operator=(client&&) noexcept;
    ~client() override;

    /// Makes the shared connection, if there is none. Throws as a command would.
    [[nodiscard]] task<> connect();

    task<reply> execute(request req) override;
    task<std::vector<reply>> execute_all(pipeline batch) override;
    task<std::vector<reply>> execute_transaction(pipeline batch) override;

    /// A command that may wait at the server (BLPOP, XREAD with BLOCK, WAIT): on a connection of its own.
    /// Dropped: that connection is closed, so the server stops waiting too and takes no item without a
    /// receiver.
    template <class... Arguments>
    [[nodiscard]] task<reply> blocking(const Arguments&... arguments) {
        return execute_blocking(request(arguments...));
    }
    /// Executes a command that waits at the server, such as BLPOP, on a connection of its own. Dropped: the
    /// connection is closed.
    [[nodiscard]] task<reply> execute_blocking(request req);

    /// A connection for one user, for WATCH and the like; waits while options::dedicated_connections_max() are in
    /// use. Returned ones are used again.
    [[nodiscard]] task<class dedicated_connection> dedicated_connection();

    /// Whether there is a connection that has not failed.
    [[nodiscard]] bool is_connected() const noexcept;
    /// What it was made with.
    [[nodiscard]] const options& settings() const noexcept;

private:
    std::shared_ptr<detail::client_state> state_;
};

}  // namespace eddy::redis
