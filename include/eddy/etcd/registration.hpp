#pragma once

#include <eddy/core/task.hpp>
#include <eddy/etcd/client.hpp>
#include <eddy/io/endpoint.hpp>

#include <chrono>
#include <memory>
#include <string>

namespace eddy::etcd {

namespace detail {
class registration_state;
}

/// A server that channels find by a name, through etcd::name_resolver, as long as this object exists.
///
///     etcd::registration here = co_await etcd::register_endpoint(db, "greeter", server.listener().local_endpoint());
///
/// The address is put under a lease. When that is lost, since etcd was away for longer than its time to live, the address
/// is put again under another as soon as that is possible. Keys and values are those of etcd's client for Go (its package
/// naming/endpoints), so programs of both find each other.
///
/// - Ownership: moves, does not copy. Destroyed, the address is removed: by the client, in the background. Where the process
///   ends before that, it is removed when the lease has expired.
/// - Thread safety: none; it belongs to its client's worker.
class registration {
public:
    explicit registration(std::unique_ptr<detail::registration_state> made) noexcept;
    registration(registration&&) noexcept;
    registration& operator=(registration&&) noexcept;
    ~registration();

    /// Removes the address, and waits until that is done. Throws rpc::error. Dropped, it is left to the destructor.
    [[nodiscard]] task<> withdraw();

private:
    std::unique_ptr<detail::registration_state> state_;
};

/// Registers a server that listens at `at`, as others reach it: no wildcard. Returns once it is registered. Throws rpc::error.
/// Dropped: it is not registered.
[[nodiscard]] task<registration> register_endpoint(const client& db, std::string name, endpoint at,
                                                   std::chrono::seconds ttl = std::chrono::seconds(10));

}  // namespace eddy::etcd
