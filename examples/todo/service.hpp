#pragma once

#include "announced_store.hpp"
#include "api.hpp"
#include "cached_store.hpp"
#include "change_feed.hpp"
#include "measured_store.hpp"
#include "node_link.hpp"
#include "open_store.hpp"
#include "redis_cache.hpp"
#include "store.hpp"

#include <eddy/core/clock.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/routing/metrics_registry.hpp>
#include <eddy/http/routing/router.hpp>
#include <eddy/http/routing/server_metrics.hpp>
#include <eddy/http/server/response.hpp>
#include <eddy/http/server/server.hpp>
#include <eddy/integrations/redis/options.hpp>
#include <eddy/io/endpoint.hpp>
#include <eddy/tls/tls_context.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace todo {

/// The whole of it on one worker. A change goes through
///
///     api → announced_store → cached_store → measured_store → sqlite_store or postgres_store
///                │
///                ├→ change_feed → every open page
///                └→ node_link → the same on other nodes
class service {
public:
    /// `redis`: where the cache and the other nodes are, if they are to be used.
    service(opened_store kept, const std::optional<eddy::redis::options>& redis, bool logs_requests);

    /// Listens from now on, for HTTPS if there is a context. Throws std::system_error.
    void open(eddy::endpoint where, const std::optional<eddy::tls_context>& tls);
    /// Requires: open().
    [[nodiscard]] eddy::endpoint where() const noexcept { return server_->listener().local_endpoint(); }
    /// Serves until drain(), and brings to an end what has begun, for so long at most.
    [[nodiscard]] eddy::task<> run(eddy::duration drain_limit);
    /// Takes no more requests, and sends listeners a goodbye.
    void drain() noexcept;

private:
    [[nodiscard]] store& use_redis(const eddy::redis::options& server);
    void add_routes(bool logs_requests);
    void announce(const item_event& made);
    [[nodiscard]] eddy::task<eddy::http::response> health();

    std::shared_ptr<eddy::http::metrics_registry> registry_;
    std::shared_ptr<eddy::http::server_metrics> requests_;
    opened_store kept_;
    measured_store measured_;
    std::optional<redis_cache> cache_;
    std::optional<cached_store> cached_;
    change_feed feed_;
    std::optional<node_link> link_;
    announced_store announced_;
    std::map<item_event::kind, eddy::http::metric_counter> changes_;
    api api_;
    eddy::http::router routes_;
    std::optional<eddy::http::server> server_;
    bool is_draining_ = false;
};

}  // namespace todo
