#pragma once

#include "broadcast/hub.hpp"
#include "broadcast/options.hpp"

#include <eddy/core/task.hpp>
#include <eddy/net/shared_listeners.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/sync/event.hpp>

#include <cstddef>
#include <optional>
#include <string>

namespace eddy::apps {

/// The program's listeners and rooms, one of each on every worker.
class broadcast_server {
public:
    broadcast_server(runtime& on, const broadcast_options& options);

    /// Opens the listeners. Throws std::system_error.
    void open();
    /// Serves until drain(), and then until the visits have ended. Throws what the way to Redis cannot mend.
    [[nodiscard]] task<> run();
    /// Stops accepting; sends what waits, then ends all connections. For any thread.
    void drain() noexcept { draining_.set(); }

    /// "127.0.0.1:7000, websocket 127.0.0.1:7001"
    [[nodiscard]] std::string where() const;
    [[nodiscard]] const broadcast_figures& figures() noexcept { return hub_.figures(); }

private:
    [[nodiscard]] task<> serve_on(std::size_t worker);
    [[nodiscard]] task<> serve_tcp(std::size_t worker);
    [[nodiscard]] task<> serve_websocket(std::size_t worker);

    runtime& runtime_;
    const broadcast_options& options_;
    hub hub_;
    shared_listeners tcp_;
    std::optional<shared_listeners> websocket_;
    event<> draining_;
};

}  // namespace eddy::apps
