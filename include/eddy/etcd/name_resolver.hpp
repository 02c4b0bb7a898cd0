#pragma once

#include <eddy/core/async_generator.hpp>
#include <eddy/etcd/client.hpp>
#include <eddy/io/endpoint.hpp>
#include <eddy/rpc/name_resolver.hpp>

#include <memory>
#include <string>
#include <vector>

namespace eddy::etcd {

namespace detail {
class client_state;
}

/// Finds servers by the name under which they are registered (etcd::register_endpoint()), and follows as they come and go.
///
///     const auto names = std::make_shared<etcd::name_resolver>(db);
///     rpc::channel greeter("etcd:///greeter", rpc::channel_options().resolver("etcd", names));
///
/// While etcd is away, channels keep the addresses that they have. Entries that are no numeric address and port are left
/// out.
///
/// - Ownership: keeps what it needs of the client. Thread safety: none; it belongs to the client's worker.
class name_resolver final : public rpc::name_resolver {
public:
    /// Of the names in this store.
    explicit name_resolver(const client& db) noexcept : db_(db.state()) {}

    [[nodiscard]] async_generator<std::vector<endpoint>> watch(std::string name) override;

private:
    std::shared_ptr<detail::client_state> db_;
};

}  // namespace eddy::etcd
