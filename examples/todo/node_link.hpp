#pragma once

#include <eddy/core/task.hpp>
#include <eddy/http/routing/metrics_registry.hpp>
#include <eddy/integrations/redis/client.hpp>
#include <eddy/integrations/redis/options.hpp>
#include <eddy/integrations/redis/subscriber.hpp>
#include <eddy/sync/channel.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace todo {

/// Exchanges changes between nodes through a channel of Redis, so that the feed of each has the changes of
/// all.
///
/// Redis keeps nothing that is published while a node is away. So a node that was cut off reports to its
/// listeners that they may have missed something, and to the other nodes too, once it can again.
///
/// - Order: messages of a node come in the order in which it sent them.
/// - Memory: messages_max wait to be sent; more become one "you may have missed something".
/// - Thread safety: none; it belongs to its worker.
class node_link {
public:
    static constexpr std::size_t messages_max = 1024;
    /// Called with what another node says; with an empty text if something may have been missed.
    using listener = std::function<void(std::string_view)>;

    node_link(eddy::redis::options server, eddy::http::metrics_registry& registry, listener reported);

    /// To all other nodes. Never waits.
    void tell(std::string message);

    /// Carries messages both ways, until it is dropped, or closed and all is sent.
    [[nodiscard]] eddy::task<> run();
    /// Messages that come from now on are not sent.
    void close() noexcept { outgoing_.close(); }

    /// Whether other nodes are heard.
    [[nodiscard]] bool is_up() const noexcept { return heard_.is_connected(); }

private:
    [[nodiscard]] eddy::redis::options watched(eddy::redis::options server);
    void note(const eddy::redis::connection_event& event);
    [[nodiscard]] eddy::task<> send();
    [[nodiscard]] eddy::task<bool> publish(std::string message);
    [[nodiscard]] eddy::task<> receive();

    std::string node_;
    listener reported_;
    bool was_cut_off_ = false;
    bool has_overflowed_ = false;
    std::string failure_;  // why the last message was not sent
    eddy::http::metric_gauge up_;
    eddy::http::metric_counter messages_heard_;
    eddy::channel<std::string> outgoing_{messages_max};
    eddy::redis::client server_;
    eddy::redis::subscriber heard_;
};

}  // namespace todo
