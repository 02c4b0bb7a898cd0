#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/message/status.hpp>
#include <eddy/http/server/connection_info.hpp>
#include <eddy/http/server/exchange.hpp>
#include <eddy/http/server/server_options.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/stream/any_stream.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace eddy::http {

/// What a server has done so far. All but `connections` only grow.
struct server_statistics {
    /// Connections that were accepted.
    std::uint64_t connections_accepted = 0;
    std::uint64_t connections_refused = 0;  ///< for a cap, or a handshake that failed
    std::uint64_t connections = 0;          ///< that are open
    std::uint64_t requests = 0;             ///< with a whole head that is valid
    std::uint64_t refusals = 0;             ///< heads that were malformed, too large or too slow
    /// Connections that went over to another protocol.
    std::uint64_t upgrades = 0;
    std::uint64_t handler_failures = 0;       ///< no response, or an exception but request_error
    std::uint64_t http2_connections = 0;      ///< that have begun with HTTP/2
    std::uint64_t http2_streams = 0;          ///< requests that have begun on those
    std::uint64_t http2_streams_reset = 0;    ///< requests that a client has taken back
    std::uint64_t http2_limits_exceeded = 0;  ///< connections and streams that were ended for it
    std::uint64_t http2_goaways = 0;          ///< sent
    /// Answers by the hundreds of their status: [2] for 2xx. Those of refusals count.
    std::array<std::uint64_t, 6> answers{};
    std::uint64_t bytes_received = 0;  ///< of plaintext
    /// Bytes that were handed to connections.
    std::uint64_t bytes_sent = 0;

    /// Counts a response.
    void count_response(status code) noexcept {
        const std::size_t hundreds = to_number(code) / 100;
        ++answers[hundreds < answers.size() ? hundreds : 0];
    }
};

class server_state;

/// Serves HTTP/1.1 and 1.0 (RFC 9112) on one worker.
///
/// - Ownership: the server owns its listener and its connections; it refers to the handler, which outlives
///   it. Destroying it cuts every connection off.
/// - Thread safety: none; it belongs to its worker. For several workers, make one on each, with listeners
///   that share the port.
/// - One request at a time is answered on a connection; requests of a pipeline in their order.
/// - An idle connection holds no buffer.
class server {
public:
    /// Serves what `listener` accepts by `handler`, which outlives it.
    server(tcp_listener listener, request_handler& handler, server_options options = {});
    server(const server&) = delete;
    server& operator=(const server&) = delete;
    ~server();

    /// Requires: called before run().
    void observe(exchange_observer observer);

    /// Accepts and serves until drain(). When descriptors or memory run out it closes the connections that
    /// have been idle longest, to take in new ones.
    /// Dropped: connections stay open and served; accepting ends.
    [[nodiscard]] task<void> run();

    /// Stops accepting, closes idle connections at once and the others after their current response.
    void drain() noexcept;

    /// Waits until the last connection has ended, for `limit` at most, then cuts off those that are left.
    /// Returns how many these were. Requires: drain() was called. Dropped: nothing is cut off.
    [[nodiscard]] task<std::size_t> join(duration limit);

    /// How many connections are open, at the moment.
    [[nodiscard]] std::size_t connections() const noexcept;
    /// What it has done so far.
    [[nodiscard]] server_statistics statistics() const noexcept;
    /// The listener that it owns.
    [[nodiscard]] const tcp_listener& listener() const noexcept;

private:
    std::unique_ptr<server_state> state_;
};

/// Accepts and serves until it is dropped, which cuts every connection off. For more say in the matter, make
/// a server. Requires: the handler outlives it.
[[nodiscard]] task<void> serve(tcp_listener listener, request_handler& handler, server_options options = {});

/// Serves one connection that the caller has accepted, over any stream, to its end. Dropped: it is cut off.
/// Ignores the caps on connections. Throws std::bad_alloc only. Requires: the handler outlives it.
[[nodiscard]] task<void> serve_connection(any_stream stream, request_handler& handler,
                                          server_options options = {}, connection_info info = {});

}  // namespace eddy::http
