#pragma once

#include <eddy/core/task.hpp>
#include <eddy/http/routing/metrics_registry.hpp>
#include <eddy/http/server/exchange.hpp>
#include <eddy/http/websocket/websocket.hpp>
#include <eddy/sync/broadcast.hpp>

#include <cstddef>
#include <memory>
#include <string>

namespace todo {

/// Sends every change to every open page, over WebSocket. A message is one JSON object; the first is
/// {"event": "hello"}. A page that receives {"event": "reset"} may have missed something and fetches the list
/// anew.
///
/// - Memory: a message is kept once for all, and only the newest messages_kept. A page that reads more slowly
///   than that gets "reset" instead of what it missed, and does not delay the others.
/// - Thread safety: none; it belongs to its worker. It outlives its sessions.
class change_feed {
public:
    static constexpr std::size_t messages_kept = 256;

    explicit change_feed(eddy::http::metrics_registry& registry);

    /// To all listeners. Never waits.
    void tell(std::string message);
    /// To everybody: what they know may be wrong.
    void tell_reset();

    /// Answers a request with a session: until the client leaves, or close().
    [[nodiscard]] eddy::task<> serve(eddy::http::exchange& ex);

    /// Ends all sessions, once they have got the messages before: 1001, going away.
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
