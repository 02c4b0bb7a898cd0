#pragma once

#include <eddy/core/async_generator.hpp>
#include <eddy/io/endpoint.hpp>

#include <string>
#include <vector>

namespace eddy::rpc {

/// Finds the addresses of a name for channels, and notices when they change: "etcd:///greeter" is the name "greeter" of
/// the resolver that channel_options::resolver() has for "etcd". The system's, for "dns", is built in.
///
///     class fixed_addresses final : public rpc::name_resolver {
///     public:
///         async_generator<std::vector<endpoint>> watch(std::string name) override {
///             co_yield std::vector<endpoint>(1, endpoint::loopback_ipv4(name == "greeter" ? 50051 : 50052));
///         }
///     };
///
/// - Ownership: shared by the channels that use it. Thread safety: none but what the resolver itself has: a channel
///   uses it on its own worker.
class name_resolver {
public:
    name_resolver() = default;
    name_resolver(const name_resolver&) = delete;
    name_resolver& operator=(const name_resolver&) = delete;
    virtual ~name_resolver() = default;

    /// Yields all addresses of `name`, which is what follows the scheme and "//authority/" in a target: as soon as they
    /// are known, and all of them again when they have changed. Without any, calls fail with UNAVAILABLE, or wait if
    /// they are to. If it ends, the addresses stay as they are until a connection fails, when the channel calls watch()
    /// again; if it throws, the channel does so after a wait, and keeps the addresses meanwhile. It is destroyed with
    /// the channel.
    [[nodiscard]] virtual async_generator<std::vector<endpoint>> watch(std::string name) = 0;
};

}  // namespace eddy::rpc
