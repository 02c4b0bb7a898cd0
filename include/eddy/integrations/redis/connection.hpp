#pragma once

#include <eddy/core/task.hpp>
#include <eddy/integrations/redis/detail/reply_reader.hpp>
#include <eddy/integrations/redis/executor.hpp>
#include <eddy/integrations/redis/options.hpp>
#include <eddy/stream/any_stream.hpp>

#include <cstddef>
#include <exception>
#include <memory>
#include <vector>

namespace eddy::redis {

namespace detail {
class connection_state;
}

/// A connection with a server, which many tasks of its worker share: what they send in one turn leaves in one
/// write, no task waits for another's reply before it sends, and each reply goes to its command, in order.
///
///     redis::connection server = co_await redis::connection::open(redis::options());
///     co_await server.command("SET", "greeting", "hello");
///
/// - Ownership: owns the stream and two tasks of its own that read and write; moves, does not copy. It
///   outlives the commands on it. Destroying it closes it.
/// - The end: once the server has ended the connection, or has broken the protocol, all waiting and all later
///   commands get that error. It does not reconnect: client does that.
/// - What does not belong here: commands that block (BLPOP: all behind it wait; client::blocking() is for
///   them), SUBSCRIBE (see subscriber), MONITOR, CLIENT REPLY. WATCH and MULTI as commands of their own need
///   a connection that no other task uses.
/// - Cost: a command costs one coroutine frame, its bytes and its reply. An idle connection has a timer, if
///   options have a health_interval().
class connection final : public executor {
public:
    /// Connects, and does what the options say with AUTH, CLIENT SETNAME and SELECT. Errors: those of
    /// eddy::connect(), local_stream::connect() and tls_connect(); redis::error if the server refuses the
    /// password; timed_out.
    [[nodiscard]] static task<connection> open(options wanted);
    /// Takes over a stream that leads to a server. Requires: the caller is on a worker.
    explicit connection(any_stream stream, const options& wanted = {}, reply_reader reader = reply_reader());
    connection(connection&&) noexcept;
    connection& operator=(connection&&) noexcept;
    ~connection() override;

    task<reply> execute(request req) override;
    task<std::vector<reply>> execute_all(pipeline batch) override;
    task<std::vector<reply>> execute_transaction(pipeline batch) override;

    /// Whether nothing has failed yet.
    [[nodiscard]] bool is_open() const noexcept;
    /// What has failed, or null.
    [[nodiscard]] std::exception_ptr failure() const noexcept;
    /// Replies that are yet to come, those of dropped commands among them.
    [[nodiscard]] std::size_t replies_awaited() const noexcept;
    /// Ends the connection; waiting commands get client_error::closed.
    void close() noexcept;

private:
    std::unique_ptr<detail::connection_state> state_;
};

}  // namespace eddy::redis
