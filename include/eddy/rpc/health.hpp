#pragma once

#include <eddy/rpc/codec.hpp>
#include <eddy/rpc/service.hpp>
#include <eddy/sync/auto_reset_event.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace eddy::rpc {

/// What the health service says of a service.
enum class serving_status : std::uint8_t {
    /// Not set yet.
    unknown = 0,
    /// It takes calls.
    serving = 1,
    /// It takes no calls.
    not_serving = 2,
    /// There is no such service; sent to watchers only.
    service_unknown = 3,
};

/// Messages of the protocol grpc.health.v1.
struct health_request {
    /// The name of a service; empty for the whole server.
    std::string service;
};
/// Whether it takes calls.
struct health_reply {
    /// Whether it takes calls.
    serving_status status = serving_status::unknown;
};

template <>
struct codec<health_request> {
    [[nodiscard]] static constexpr std::string_view default_subtype() noexcept { return "proto"; }
    [[nodiscard]] static constexpr bool knows(std::string_view subtype) noexcept {
        return subtype == "proto";
    }
    static void encode(const health_request& message, std::string_view, std::string& out);
    static void decode(std::span<const std::byte> bytes, std::string_view, health_request& message);
};
template <>
struct codec<health_reply> {
    [[nodiscard]] static constexpr std::string_view default_subtype() noexcept { return "proto"; }
    [[nodiscard]] static constexpr bool knows(std::string_view subtype) noexcept {
        return subtype == "proto";
    }
    static void encode(const health_reply& message, std::string_view, std::string& out);
    static void decode(std::span<const std::byte> bytes, std::string_view, health_reply& message);
};

/// The service grpc.health.v1.Health, as load balancers and clients ask it: Check and Watch.
///
///     const auto health = std::make_shared<rpc::health_service>();
///     calls.add(health);
///     health->set("pkg.Greeter", rpc::serving_status::serving);
///
/// Ownership and threads as service. Streams of Watch end with UNAVAILABLE when the server drains.
class health_service final : public service {
public:
    /// The server as a whole, whose name is "", is serving.
    health_service();

    /// Sets the status of a service, and sends it to those that watch it.
    void set(std::string_view service, serving_status now);
    /// Of one that was never set: service_unknown.
    [[nodiscard]] serving_status status_of(std::string_view service) const noexcept;

private:
    [[nodiscard]] task<health_reply> check(health_request request);
    [[nodiscard]] async_generator<health_reply> watch_one(server_call& call, health_request request);

    std::map<std::string, serving_status, std::less<>> statuses_;
    std::list<auto_reset_event> watches_;  // set when there is news
};

}  // namespace eddy::rpc
