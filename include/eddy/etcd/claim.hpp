#pragma once

#include <eddy/core/task.hpp>
#include <eddy/etcd/transaction.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace eddy::etcd {

namespace detail {
class claim_state;
}

/// A lock that is held, or an election that was won: the oldest key below a name, which ends with its lease. From
/// client::lock() and client::campaign().
///
/// The holder is alone as long as the lease lasts, which no program knows for certain: it may have been stopped the
/// moment before. So what must not be done by two is done in a transaction with held(), or with revision(), which grows
/// from one holder to the next, where others can compare it.
///
///     etcd::claim mine = co_await db.lock("reports", held);
///     co_await db.commit(etcd::transaction().when(mine.held()).then(etcd::put_request("report", text)));
///
/// - Ownership: moves, does not copy. Destroyed, its key is removed: by the client, in the background. The next
///   one waits for that, or for the end of the lease. `co_await mine.release()` waits until it is done.
/// - Thread safety: none; it belongs to its client's worker.
class claim {
public:
    explicit claim(std::unique_ptr<detail::claim_state> made) noexcept;
    claim(claim&&) noexcept;
    claim& operator=(claim&&) noexcept;
    ~claim();

    /// Its key, "name/lease-id".
    [[nodiscard]] const std::string& key() const noexcept;
    /// At which the key was created.
    [[nodiscard]] std::int64_t revision() const noexcept;
    /// True in the store as long as this is held.
    [[nodiscard]] compare held() const;
    /// Waits until it is held no longer: its lease is lost, or the key was removed. Throws rpc::error. Dropped: it
    /// is held as before. Requires, as the following: this outlives the task.
    [[nodiscard]] task<> lost() const;
    /// Changes the value, which client::observe() shows others. Throws rpc::error, with FAILED_PRECONDITION if it is
    /// held no longer. Dropped: it may have been changed.
    [[nodiscard]] task<> proclaim(std::string value);
    /// Unlocks, or resigns. Throws rpc::error. Dropped, it is left to the destructor.
    [[nodiscard]] task<> release();

private:
    std::unique_ptr<detail::claim_state> state_;
};

}  // namespace eddy::etcd
