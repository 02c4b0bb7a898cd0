#pragma once

#include <eddy/core/async_generator.hpp>
#include <eddy/core/task.hpp>
#include <eddy/etcd/claim.hpp>
#include <eddy/etcd/client_options.hpp>
#include <eddy/etcd/key_value.hpp>
#include <eddy/etcd/lease.hpp>
#include <eddy/etcd/requests.hpp>
#include <eddy/etcd/responses.hpp>
#include <eddy/etcd/transaction.hpp>
#include <eddy/etcd/watch.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace eddy::etcd {

namespace detail {
class client_state;
}

/// A client of etcd (https://etcd.io, API v3; 3.4 or later) with one or more nodes.
///
///     etcd::client db({"http://10.0.0.1:2379", "http://10.0.0.2:2379", "http://10.0.0.3:2379"});
///     co_await db.put("greeting", "hello");
///     const auto found = co_await db.get("greeting");
///
/// It uses one node at a time, and moves on to the next when that one is not reached, has lost its leader, or is
/// silent.
///
/// - What is made again: reads, and requests that have the same effect twice (leases, locks), until request_time() is
///   over. put(), remove(), commit() and compact() are made again only where the first was certainly not carried out:
///   none is sent to a node before that has responded on the connection. What fails with UNAVAILABLE or
///   DEADLINE_EXCEEDED after that may have been carried out; a transaction that compares tells.
/// - Errors: rpc::error with etcd's status: "etcdserver: mvcc: required revision has been compacted" is OUT_OF_RANGE.
/// - Cancellation: dropped, a request is cancelled; what changes may have been carried out.
/// - Ownership: moves, does not copy. What a request is made of is read before the call returns. Tasks, generators,
///   leases and claims keep what they need of the client; what they leave to the background is done as long as any of
///   them, or the client, exists. Requires: all are destroyed before their worker's runtime ends.
/// - Thread safety: none; it belongs to a worker. Any number of tasks there may use it at once.
class client {
public:
    /// Endpoints: "http://host:port", or "https://host:port" for TLS. Throws std::system_error as rpc::channel does, and
    /// std::invalid_argument without any.
    explicit client(const std::vector<std::string>& endpoints, client_options options = {});
    client(client&&) noexcept;
    client& operator=(client&&) noexcept;
    ~client();

    /// One key, if it exists.
    [[nodiscard]] task<std::optional<key_value>> get(std::string key) const;
    /// Keys of a range.
    [[nodiscard]] task<range_response> range(const range_request& what) const;
    /// All keys of a range, of one revision, `keys_per_page` by request: for ranges that are large. They are in the
    /// order of the keys. Fails with OUT_OF_RANGE if that revision is compacted meanwhile.
    [[nodiscard]] async_generator<key_value> pages(range_request what,
                                                   std::int64_t keys_per_page = 1000) const;
    /// Writes a key.
    [[nodiscard]] task<put_response> put(const put_request& what) const;
    [[nodiscard]] task<put_response> put(std::string key, std::string value) const {
        return put(put_request(std::move(key), std::move(value)));
    }
    /// Removes keys.
    [[nodiscard]] task<delete_response> remove(const delete_request& what) const;
    [[nodiscard]] task<delete_response> remove(std::string key) const {
        return remove(delete_request(key_range(std::move(key))));
    }
    /// Carries a transaction out.
    [[nodiscard]] task<txn_response> commit(const transaction& what) const;
    /// Forgets what was before `revision`.
    [[nodiscard]] task<> compact(std::int64_t revision) const;

    /// Changes of keys, and first the state if it is requested. Goes on after the loss of a connection or node where it
    /// was, without a lost or doubled event, as long as it takes; where changes were compacted before that, it reads the
    /// state again and says so (watch_response::is_state). Begins with the first next(). Throws rpc::error for what does
    /// not pass: PERMISSION_DENIED, say.
    [[nodiscard]] async_generator<watch_response> watch(key_range what, watch_options options = {}) const;

    /// A lease, which is renewed while the object exists.
    [[nodiscard]] task<lease> grant(std::chrono::seconds ttl) const;

    /// Waits until the lock of this name is held, in the order of requests. It is held under the lease, which may hold
    /// locks of other names as well. Keys are "name/lease-id", as etcd's own client for Go has them. Throws rpc::error,
    /// with FAILED_PRECONDITION if the lease is lost meanwhile. Dropped: the place in the queue is given up.
    [[nodiscard]] task<claim> lock(std::string name, const lease& under) const;
    /// The same for an election, with a value that others see.
    [[nodiscard]] task<claim> campaign(std::string name, std::string value, const lease& under) const;
    /// The leader, with its value; nothing if there is none.
    [[nodiscard]] task<std::optional<key_value>> leader(std::string name) const;
    /// The leader, and each that follows or proclaims another value.
    [[nodiscard]] async_generator<key_value> observe(std::string name) const;

    // -- for the library --

    [[nodiscard]] const std::shared_ptr<detail::client_state>& state() const noexcept { return state_; }

private:
    std::shared_ptr<detail::client_state> state_;
};

}  // namespace eddy::etcd
