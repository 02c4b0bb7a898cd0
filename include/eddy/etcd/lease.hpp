#pragma once

#include <eddy/core/task.hpp>

#include <chrono>
#include <cstdint>
#include <memory>

namespace eddy::etcd {

namespace detail {
class lease_state;
}

/// A lease of etcd, kept alive while this object exists: keys that were put with it are removed when it ends. From
/// client::grant().
///
///     etcd::lease held = co_await db.grant(10s);
///     co_await db.put(etcd::put_request("nodes/a", "ready").lease(held.id()));
///
/// - Ownership: moves, does not copy. Destroyed, it is revoked: the request is made by the client in the background. Where
///   the program or the client ends before that, and where etcd cannot be reached, the lease expires after its time to
///   live. `co_await held.revoke()` waits until it is done.
/// - Loss: a lease that cannot be renewed (no node of etcd is reached for its time to live, it was revoked elsewhere, or
///   this program was stopped) is lost. It counts as lost here no later than etcd may remove its keys.
/// - Thread safety: none; it belongs to its client's worker.
class lease {
public:
    explicit lease(std::shared_ptr<detail::lease_state> made) noexcept;
    lease(lease&&) noexcept;
    lease& operator=(lease&&) noexcept;
    ~lease();

    /// Its number, which put_request::lease() takes.
    [[nodiscard]] std::int64_t id() const noexcept;
    /// As etcd has granted it, which may be longer than what was requested.
    [[nodiscard]] std::chrono::seconds ttl() const noexcept;
    /// Also after revoke().
    [[nodiscard]] bool is_lost() const noexcept;
    /// Waits until it is lost, or was revoked. Any number of tasks may wait. Dropped: it goes on.
    [[nodiscard]] task<> lost() const;
    /// Ends it, and removes its keys. Nothing happens if it was lost. Throws rpc::error. Dropped, it is left to the
    /// destructor.
    [[nodiscard]] task<> revoke();

    // -- for the library --

    [[nodiscard]] const std::shared_ptr<detail::lease_state>& state() const noexcept { return state_; }

private:
    std::shared_ptr<detail::lease_state> state_;
};

}  // namespace eddy::etcd
