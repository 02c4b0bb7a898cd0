#pragma once

#include <eddy/core/task.hpp>
#include <eddy/integrations/redis/reply.hpp>
#include <eddy/integrations/redis/request.hpp>

#include <utility>
#include <vector>

namespace eddy::redis {

/// What carries commands out: a connection, a client, a cluster_client.
///
/// - Errors: redis::error if the server answers with one; std::system_error (client_error, or what the
///   network has met).
/// - Cancellation: a command that is dropped before its bytes were taken over is not sent; later the server
///   may or may not carry it out, and its reply is discarded when it comes. Others are not disturbed.
/// - Thread safety: none; it belongs to the worker that made it, where any number of tasks use it at once.
class executor {
public:
    executor() noexcept = default;
    executor(const executor&) = delete;
    executor& operator=(const executor&) = delete;
    virtual ~executor() = default;

    /// Sends a command and waits for its reply: `co_await server.command("SET", key, value)`. What the
    /// arguments refer to is copied in the call. See request for what they may be.
    template <class... Arguments>
    [[nodiscard]] task<reply> command(const Arguments&... arguments) {
        return execute(request(arguments...));
    }
    /// Sends several and waits for all replies, in the same order. One that is an error is returned as such,
    /// not thrown: as<T>() throws it.
    [[nodiscard]] task<std::vector<reply>> run(pipeline batch) { return execute_all(std::move(batch)); }
    /// Sends several between MULTI and EXEC: the server executes all of them with nothing in between, or none
    /// if it refuses one (redis::error: EXECABORT, whose text has the first refusal). Throws
    /// client_error::aborted if a key has changed that was watched. To watch keys (WATCH) take a connection
    /// that no other task uses.
    [[nodiscard]] task<std::vector<reply>> transact(pipeline batch) {
        return execute_transaction(std::move(batch));
    }

    /// Sends a command and waits for its reply.
    virtual task<reply> execute(request req) = 0;
    /// Sends commands together and waits for all replies.
    virtual task<std::vector<reply>> execute_all(pipeline batch) = 0;
    /// Sends commands between MULTI and EXEC and waits for all replies.
    virtual task<std::vector<reply>> execute_transaction(pipeline batch) = 0;

protected:
    executor(executor&&) noexcept = default;
    executor& operator=(executor&&) noexcept = default;
};

}  // namespace eddy::redis
