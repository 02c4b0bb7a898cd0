#pragma once

#include "etcd/client_state.hpp"

#include <eddy/core/clock.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/sync/event.hpp>

#include <chrono>
#include <cstdint>
#include <memory>

namespace eddy::etcd::detail {

/// A lease and the task that renews it.
class lease_state {
public:
    /// `since`: when it was requested.
    lease_state(std::shared_ptr<client_state> db, std::int64_t id, std::chrono::seconds ttl,
                time_point since);
    lease_state(const lease_state&) = delete;
    lease_state& operator=(const lease_state&) = delete;
    ~lease_state() = default;

    [[nodiscard]] std::int64_t id() const noexcept { return id_; }
    [[nodiscard]] std::chrono::seconds ttl() const noexcept { return ttl_; }
    [[nodiscard]] bool is_lost() const noexcept;
    [[nodiscard]] auto lost() noexcept { return lost_.wait(); }
    [[nodiscard]] task<> revoke();
    /// Has it revoked in the background.
    void abandon() noexcept;

private:
    [[nodiscard]] task<> renew_until_lost();
    /// Returns whether it still exists.
    [[nodiscard]] task<bool> renew();

    std::shared_ptr<client_state> db_;
    std::int64_t id_;
    std::chrono::seconds ttl_;
    time_point end_;  // until when it exists for certain
    event<> lost_;
    handle<> renewing_;
};

/// client::grant().
[[nodiscard]] task<std::shared_ptr<lease_state>> grant_lease(std::shared_ptr<client_state> db,
                                                             std::chrono::seconds ttl);

}  // namespace eddy::etcd::detail
