#pragma once

#include <eddy/base/clock.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/connection_info.hpp>
#include <eddy/http/exchange.hpp>
#include <eddy/http/request_handler.hpp>
#include <eddy/http/server_options.hpp>
#include <eddy/http/server_statistics.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/stream/any_stream.hpp>

#include <cstddef>
#include <memory>

namespace eddy::http {

class server_state;

/// Serves HTTP/1.1 and 1.0 (RFC 9112) on one worker.
///
/// - Ownership: the server owns its listener and its connections; it refers to the handler, which outlives
/// it.
///   Destroying it cuts every connection off.
/// - Thread safety: none; it belongs to its worker. For several workers, make one on each, with listeners
/// that
///   share the port.
/// - One request at a time is answered on a connection; requests of a pipeline in their order.
/// - An idle connection holds no buffer.
class server {
public:
    server(tcp_listener listener, request_handler& handler, server_options options = {});
    server(const server&) = delete;
    server& operator=(const server&) = delete;
    ~server();

    /// Requires: called before run().
    void observe(exchange_observer observer);

    /// Accepts and serves until drain(). When descriptors or memory run out it waits a little and goes on.
    /// Dropped: connections stay open and served; accepting ends.
    [[nodiscard]] task<void> run();

    /// Stops accepting, closes idle connections at once and the others after the answer they are at.
    void drain() noexcept;

    /// Waits until the last connection has ended, for `limit` at most, then cuts off those that are left;
    /// gives how many these were. Requires: drain() was called.
    [[nodiscard]] task<std::size_t> join(duration limit);

    [[nodiscard]] std::size_t connections() const noexcept;
    /// What it has done so far.
    [[nodiscard]] server_statistics statistics() const noexcept;
    [[nodiscard]] const tcp_listener& listener() const noexcept;

private:
    std::unique_ptr<server_state> state_;
};

/// Accepts and serves until it is dropped, which cuts every connection off. For more say in the matter, make
/// a server. Requires: the handler outlives it.
[[nodiscard]] task<void> serve(tcp_listener listener, request_handler& handler, server_options options = {});

/// Serves one connection that somebody else has accepted, over whatever it is made of, to its end. Dropped:
/// it is cut off. The caps on connections are not its business. Throws std::bad_alloc only. Requires: the
/// handler outlives it.
[[nodiscard]] task<void> serve_connection(any_stream stream, request_handler& handler,
                                          server_options options = {}, connection_info info = {});

}  // namespace eddy::http
