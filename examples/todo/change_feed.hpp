#pragma once

#include <eddy/core/task.hpp>
#include <eddy/http/exchange.hpp>
#include <eddy/http/metrics_registry.hpp>
#include <eddy/http/websocket/websocket.hpp>
#include <eddy/sync/broadcast.hpp>

#include <cstddef>
#include <memory>
#include <string>

namespace todo {

/// Tells every open page what changes, over WebSocket. A message is one JSON object; the first is
/// {"event": "hello"}. Who hears {"event": "reset"} may have missed something and asks for the list anew.
///
/// - Memory: a message is kept once for all, and only the newest messages_kept. Who reads more slowly than
///   that is told "reset" instead of what it missed, and holds nobody up.
/// - Thread safety: none; it belongs to its worker. It outlives its sessions.
class change_feed {
public:
    static constexpr std::size_t messages_kept = 256;

    explicit change_feed(eddy::http::metrics_registry& registry);

    /// To everybody who listens. Never waits.
    void tell(std::string message);
    /// To everybody: what they know may be wrong.
    void tell_reset();

    /// Answers a request with a session: until the client leaves, or close().
    [[nodiscard]] eddy::task<> serve(eddy::http::exchange& asked);

    /// Ends all sessions, once they have been told what was said before: 1001, going away.
    void close() noexcept { messages_.close(); }

private:
    using message = std::shared_ptr<const std::string>;
    class presence;

    [[nodiscard]] eddy::task<> pass_on(eddy::broadcast_receiver<message> from, eddy::http::websocket& socket);

    eddy::broadcast<message> messages_{messages_kept};
    eddy::http::metric_gauge listeners_;
    eddy::http::metric_counter resets_;
};

}  // namespace todo
