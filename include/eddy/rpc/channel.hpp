#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/http/client/client_options.hpp>
#include <eddy/http/h2/http2_options.hpp>
#include <eddy/http/routing/metrics_registry.hpp>
#include <eddy/rpc/call_credentials.hpp>
#include <eddy/rpc/compression.hpp>
#include <eddy/rpc/name_resolver.hpp>
#include <eddy/rpc/protocol.hpp>
#include <eddy/tls/tls_context.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::rpc {

namespace detail {
class channel_state;
}

/// How a channel that has several addresses chooses among them.
enum class balancing : std::uint8_t {
    pick_first,   ///< one connection, to the first address that takes one
    round_robin,  ///< a connection to each, which take turns
};

/// How a channel behaves. A value; setters chain.
class channel_options {
public:
    channel_options() = default;

    /// The context for https, and for "dns:" targets, which are reached by TLS only with one. The default for https
    /// trusts the system's authorities.
    channel_options& tls(tls_context context) {
        tls_ = std::move(context);
        return *this;
    }
    /// What calls say of the server's name (:authority), in place of the target's host and port.
    channel_options& authority(std::string name) {
        authority_ = std::move(name);
        return *this;
    }
    /// What stands in front of the library's own name in user-agent.
    channel_options& user_agent(std::string text) {
        user_agent_ = std::move(text);
        return *this;
    }
    /// How messages are compressed that are sent: not, by default.
    channel_options& compression(rpc::compression way) noexcept {
        compression_ = way;
        return *this;
    }
    /// The format of messages: "json". By default the codec's own.
    channel_options& subtype(std::string name) {
        subtype_ = std::move(name);
        return *this;
    }
    /// Limits of one message; 4 MiB by default for those that are received, none for those that are sent.
    channel_options& receive_bytes_max(std::size_t bytes) noexcept {
        receive_bytes_max_ = bytes;
        return *this;
    }
    /// The longest message that is sent.
    channel_options& send_bytes_max(std::size_t bytes) noexcept {
        send_bytes_max_ = bytes;
        return *this;
    }
    /// Making a connection: name, connecting, TLS. 20 s by default.
    channel_options& connect_time(duration limit) noexcept {
        connect_time_ = limit;
        return *this;
    }
    /// From the beginning of an attempt to connect that fails to the next one: `first`, then 1.6 times as long each
    /// time, up to `most`, and a fifth more or less by chance. 1 s and 120 s by default.
    channel_options& reconnect_wait(duration first, duration most) noexcept {
        reconnect_first_ = first;
        reconnect_most_ = most;
        return *this;
    }
    /// Windows, PING and other matters of HTTP/2; rpc::http2_options() by default.
    channel_options& http2(const http::http2_options& options) noexcept {
        http2_ = options;
        return *this;
    }
    /// Finds the addresses of targets with this scheme: "etcd:///greeter". One for "dns" takes the system's place, also
    /// for http and https.
    channel_options& resolver(std::string scheme, std::shared_ptr<name_resolver> added) {
        resolvers_.insert_or_assign(std::move(scheme), std::move(added));
        return *this;
    }
    /// Among the addresses of a name; pick_first by default. What a service config says goes before it.
    channel_options& balancing(rpc::balancing way) noexcept {
        balancing_ = way;
        return *this;
    }
    /// How calls are made by method, as JSON (gRPC's doc/service_config.md): methodConfig with timeout, waitForReady,
    /// maxRequestMessageBytes, maxResponseMessageBytes, retryPolicy and hedgingPolicy; retryThrottling,
    /// loadBalancingConfig and healthCheckConfig, which round_robin respects. The channel's constructor throws
    /// std::invalid_argument for what is no such config.
    channel_options& service_config(std::string json) {
        service_config_ = std::move(json);
        return *this;
    }
    /// How much of a request that is a stream is kept, for another attempt, until the response begins: with more than
    /// that, no attempt follows. 256 KiB by default.
    channel_options& retry_bytes_max(std::size_t bytes) noexcept {
        retry_bytes_max_ = bytes;
        return *this;
    }
    /// Metadata for all calls.
    channel_options& credentials(call_credentials by) noexcept {
        credentials_ = std::move(by);
        return *this;
    }
    /// Sends what credentials make in clear as well: to a proxy beside the program, say. Off by default.
    channel_options& insecure_credentials(bool are_allowed) noexcept {
        insecure_credentials_ = are_allowed;
        return *this;
    }
    /// Counts calls by method, with the names of gRPC's own metrics: grpc_client_call_started_total, _duration_seconds
    /// (by status as well), _sent_message_bytes_total and _rcvd_message_bytes_total.
    channel_options& metrics(std::shared_ptr<http::metrics_registry> into) noexcept {
        metrics_ = std::move(into);
        return *this;
    }
    /// How connections are made, in place of the system's sockets. Hosts are not resolved then, unless there is a
    /// resolver().
    channel_options& transport(http::client_transport connect) {
        transport_ = std::move(connect);
        return *this;
    }

    [[nodiscard]] const std::optional<tls_context>& tls() const noexcept { return tls_; }
    [[nodiscard]] const std::string& authority() const noexcept { return authority_; }
    [[nodiscard]] const std::string& user_agent() const noexcept { return user_agent_; }
    [[nodiscard]] rpc::compression compression() const noexcept { return compression_; }
    [[nodiscard]] const std::string& subtype() const noexcept { return subtype_; }
    [[nodiscard]] std::size_t receive_bytes_max() const noexcept { return receive_bytes_max_; }
    [[nodiscard]] std::size_t send_bytes_max() const noexcept { return send_bytes_max_; }
    [[nodiscard]] duration connect_time() const noexcept { return connect_time_; }
    /// The pause behind the first failed attempt to connect.
    [[nodiscard]] duration reconnect_first() const noexcept { return reconnect_first_; }
    /// The longest pause between attempts.
    [[nodiscard]] duration reconnect_most() const noexcept { return reconnect_most_; }
    [[nodiscard]] const http::http2_options& http2() const noexcept { return http2_; }
    /// The resolvers, by the scheme of names.
    [[nodiscard]] const std::map<std::string, std::shared_ptr<name_resolver>, std::less<>>& resolvers()
        const noexcept {
        return resolvers_;
    }
    [[nodiscard]] rpc::balancing balancing() const noexcept { return balancing_; }
    [[nodiscard]] const std::string& service_config() const noexcept { return service_config_; }
    [[nodiscard]] std::size_t retry_bytes_max() const noexcept { return retry_bytes_max_; }
    [[nodiscard]] const call_credentials& credentials() const noexcept { return credentials_; }
    [[nodiscard]] bool insecure_credentials() const noexcept { return insecure_credentials_; }
    [[nodiscard]] const std::shared_ptr<http::metrics_registry>& metrics() const noexcept { return metrics_; }
    [[nodiscard]] const http::client_transport& transport() const noexcept { return transport_; }

private:
    std::optional<tls_context> tls_;
    std::string authority_;
    std::string user_agent_ = "grpc-c++-eddy/0.1";
    std::string subtype_;
    std::size_t receive_bytes_max_ = std::size_t{4} << 20;
    std::size_t send_bytes_max_ = static_cast<std::size_t>(-1);
    duration connect_time_ = std::chrono::seconds(20);
    duration reconnect_first_ = std::chrono::seconds(1);
    duration reconnect_most_ = std::chrono::seconds(120);
    http::http2_options http2_ = http2_options();
    http::client_transport transport_;
    std::map<std::string, std::shared_ptr<name_resolver>, std::less<>> resolvers_;
    std::string service_config_;
    std::size_t retry_bytes_max_ = std::size_t{256} << 10;
    call_credentials credentials_;
    std::shared_ptr<http::metrics_registry> metrics_;
    bool insecure_credentials_ = false;
    rpc::balancing balancing_ = rpc::balancing::pick_first;
    rpc::compression compression_ = rpc::compression::identity;
};

/// The way to a server, or to several with one name, over which calls are made: connections of HTTP/2 that are made for the
/// first call, and made again when they have ended.
///
///     rpc::channel greeter("https://example.com");
///     const std::string reply = co_await rpc::call<std::string>(greeter, "/pkg.Greeter/Greet", request);
///
/// | target | is |
/// |---|---|
/// | "http://host:port", "https://host:port" | a name of the system's, in clear or by TLS |
/// | "host:port", "dns:///host:port" | the same, by TLS if channel_options::tls() was given |
/// | "ipv4:10.0.0.1:80,10.0.0.2:80", "ipv6:[::1]:80" | addresses |
/// | "unix:/run/a.sock" | a local socket |
/// | "etcd:///name" | a name of the resolver for "etcd" (channel_options::resolver()) |
///
/// A call waits for a connection that is being made. While none comes about it fails with UNAVAILABLE, at once,
/// unless it is to wait (call_options::wait_for_ready()); attempts follow each other with growing waits. What is known
/// not to have been sent goes elsewhere by itself. Calls to an address that leaves the name's are let to their end.
///
/// - Ownership: moves, does not copy; calls that are under way keep what they need of it. Requires: it and its calls
///   are destroyed before its worker's runtime ends.
/// - Thread safety: none; it belongs to its worker. Any number of tasks there may use it at once.
class channel {
public:
    /// Throws std::system_error with http_error::malformed_url, or unsupported_scheme; std::invalid_argument for a service
    /// config that is none.
    explicit channel(std::string_view target, channel_options options = {});
    channel(channel&&) noexcept;
    channel& operator=(channel&&) noexcept;
    ~channel();

    // -- for the library --

    [[nodiscard]] const std::shared_ptr<detail::channel_state>& state() const noexcept { return state_; }

private:
    std::shared_ptr<detail::channel_state> state_;
};

}  // namespace eddy::rpc
