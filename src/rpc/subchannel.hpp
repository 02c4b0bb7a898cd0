#pragma once

#include "http/client/client_route.hpp"
#include "rpc/call_exchange.hpp"

#include <eddy/core/clock.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/client/client.hpp>
#include <eddy/http/client/client_options.hpp>
#include <eddy/io/endpoint.hpp>
#include <eddy/rpc/channel.hpp>
#include <eddy/runtime/detail/growing_wait.hpp>
#include <eddy/stream/any_stream.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace eddy::rpc::detail {

/// What a channel can expect of a subchannel (gRPC's doc/connectivity-semantics-and-api.md).
enum class connectivity : std::uint8_t { idle, connecting, ready, failed };

/// The way to one address, or to the first of several that takes a connection. A task makes the connection, and again
/// when it has failed, with growing waits.
class subchannel {
public:
    /// Without addresses: to the host that `origin` names. `keeps`: a connection that ends is made again at once, not
    /// only when connect() asks for it. `watched`: it is ready only while the server says that this service is healthy
    /// (gRPC's doc/health-checking.md). `on_change` is called when state() may have changed: with true if a connection
    /// has ended, or could not be made.
    subchannel(const channel_options& options, std::string origin, std::vector<endpoint> addresses,
               bool keeps, std::optional<std::string> watched, std::function<void(bool)> on_change);
    subchannel(const subchannel&) = delete;
    subchannel& operator=(const subchannel&) = delete;
    ~subchannel();

    [[nodiscard]] connectivity state() const noexcept;
    /// Why the last attempt to connect has failed; null if it has not.
    [[nodiscard]] const std::exception_ptr& failure() const noexcept { return failure_; }
    /// Begins to connect, unless it does already.
    void connect();
    /// Nothing new begins: calls that are under way go on.
    void retire() noexcept;

    /// Throws std::system_error. Requires, of the request: as call_exchange::ask().
    [[nodiscard]] task<exchange_pointer> send(call_request& request);

    [[nodiscard]] const std::vector<endpoint>& addresses() const noexcept { return addresses_; }
    /// Goes on with other addresses, unless it has no connection to one of them: false then.
    [[nodiscard]] bool change_addresses(const std::vector<endpoint>& now);

private:
    [[nodiscard]] http::client_options options_of_client();
    [[nodiscard]] static task<any_stream> dial(subchannel& self);
    [[nodiscard]] task<any_stream> dial_by_transport();
    [[nodiscard]] task<any_stream> dial_by_system();
    [[nodiscard]] task<> keep_connected();
    [[nodiscard]] task<> follow_health();
    /// Throws if there is no connection.
    [[nodiscard]] task<> try_to_connect();
    void enter(connectivity now, bool has_failed);

    const channel_options& options_;
    std::string origin_;
    std::vector<endpoint> addresses_;
    std::optional<std::size_t> connected_to_;  // among the addresses
    bool keeps_;
    std::optional<std::string> watched_;
    bool was_used_ = false;
    connectivity state_ = connectivity::idle;
    std::exception_ptr failure_;
    std::function<void(bool)> on_change_;
    eddy::detail::growing_wait waits_;
    time_point not_before_{};
    http::client client_;
    http::client_route route_;
    handle<> keeping_;
};

}  // namespace eddy::rpc::detail
