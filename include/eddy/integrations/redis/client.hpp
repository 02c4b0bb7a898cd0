#pragma once

#include <eddy/core/task.hpp>
#include <eddy/integrations/redis/connection.hpp>
#include <eddy/integrations/redis/executor.hpp>
#include <eddy/integrations/redis/options.hpp>
#include <eddy/integrations/redis/own_connection.hpp>
#include <eddy/integrations/redis/request.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace eddy::redis {

namespace detail {
class client_state;
}

/// A server that is reached over one connection, which all tasks of this worker share (see connection) and
/// which is made when it is first needed, and again when it was lost; and over connections of their own for
/// what must not be shared.
///
/// - A connection that is lost: commands that wait for a reply get the error, since nobody knows whether they
///   were carried out; none is sent twice. The next command connects again, and those that come meanwhile
///   wait for that. If it fails, all commands fail at once with that error during a pause that grows with
///   each failure (options::pauses()), unless options::patience() makes them wait for a later attempt.
/// - Health: see options::health_interval() and health_timeout().
/// - Ownership: moves, does not copy; it outlives the commands on it and what own_connection() gives.
/// - Thread safety: none; a worker has a client of its own.
class client final : public executor {
public:
    /// Connects when something is asked. Requires: the caller is on a worker.
    explicit client(options wanted);
    client(client&&) noexcept;
    client& operator=(client&&) noexcept;
    ~client() override;

    /// Makes the shared connection, if there is none. Throws as a command would.
    [[nodiscard]] task<> connect();

    task<reply> execute(request asked) override;
    task<std::vector<reply>> execute_all(pipeline asked) override;
    task<std::vector<reply>> execute_transaction(pipeline asked) override;

    /// A command that may wait at the server (BLPOP, XREAD with BLOCK, WAIT): on a connection of its own.
    /// Dropped: that connection is closed, so the server gives up too and takes nothing for nobody.
    template <class... Arguments>
    [[nodiscard]] task<reply> blocking(const Arguments&... arguments) {
        return execute_blocking(request(arguments...));
    }
    [[nodiscard]] task<reply> execute_blocking(request asked);

    /// A connection for one user, for WATCH and the like; waits while options::own_connections_max() are in
    /// use. Those that were given back are used again.
    [[nodiscard]] task<class own_connection> own_connection();

    /// Whether there is a connection that has not failed.
    [[nodiscard]] bool is_connected() const noexcept;
    [[nodiscard]] const options& settings() const noexcept;

private:
    std::shared_ptr<detail::client_state> state_;
};

}  // namespace eddy::redis
