#pragma once

#include <eddy/core/task.hpp>
#include <eddy/integrations/redis/client.hpp>
#include <eddy/integrations/redis/executor.hpp>
#include <eddy/integrations/redis/options.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace eddy::redis {

namespace detail {
class cluster_state;
}

/// A Redis cluster (https://redis.io/docs/reference/cluster-spec/): a client for each master, and a map from
/// slots to masters, which is fetched when it is first needed and again when it turns out to be old.
///
/// - A command goes to the node of its first key (see first_key()); one without keys to any. MOVED, ASK,
///   TRYAGAIN and CLUSTERDOWN are followed, or waited for, up to redirections_max() times
///   (client_error::too_many_redirections). When a node cannot be reached, the map is fetched from others,
///   and commands that were not sent go to the slot's new node. A command that was sent and not answered is
///   an error.
/// - run() sends to all nodes concerned at the same time, and puts the replies into order. transact() and
///   scripts need keys of one slot: give them a common hash tag. A transaction on a slot that is being moved
///   waits until it has moved.
/// - Ownership, thread safety and cancellation: as client.
class cluster_client final : public executor {
public:
    /// Some nodes, the others are found; all are reached with the first one's options but for host and port.
    /// Requires: there is one, and the caller is on a worker.
    explicit cluster_client(std::vector<options> seeds);
    cluster_client(cluster_client&&) noexcept;
    cluster_client& operator=(cluster_client&&) noexcept;
    ~cluster_client() override;

    /// 16 by default.
    void redirections_max(std::size_t count) noexcept;

    task<reply> execute(request req) override;
    task<std::vector<reply>> execute_all(pipeline batch) override;
    /// Throws std::invalid_argument if the keys are not of one slot.
    task<std::vector<reply>> execute_transaction(pipeline batch) override;

    /// A client for each node that serves slots, for commands to all of them (SCAN, DBSIZE, FLUSHALL).
    [[nodiscard]] task<std::vector<std::shared_ptr<client>>> masters();
    /// Fetches the map anew.
    [[nodiscard]] task<> refresh();

private:
    std::unique_ptr<detail::cluster_state> state_;
};

}  // namespace eddy::redis
