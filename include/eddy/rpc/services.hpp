#pragma once

#include <eddy/core/ready_or_task.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/unique_function.hpp>
#include <eddy/http/routing/metrics_registry.hpp>
#include <eddy/http/server/exchange.hpp>
#include <eddy/rpc/compression.hpp>
#include <eddy/rpc/service.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace eddy::rpc {

/// How services are served. A value; setters chain.
class services_options {
public:
    services_options() noexcept = default;

    /// Limits of one message: of a request, 4 MiB by default, and of a response, none. Beyond: RESOURCE_EXHAUSTED.
    services_options& receive_bytes_max(std::size_t bytes) noexcept {
        receive_bytes_max_ = bytes;
        return *this;
    }
    /// The longest message that is sent.
    services_options& send_bytes_max(std::size_t bytes) noexcept {
        send_bytes_max_ = bytes;
        return *this;
    }
    /// How messages are compressed that are sent to clients that read it: not, by default.
    services_options& compression(rpc::compression way) noexcept {
        compression_ = way;
        return *this;
    }

    /// How many calls are handled at a time; more are RESOURCE_EXHAUSTED. Any number by default.
    services_options& calls_max(std::size_t count) noexcept {
        calls_max_ = count;
        return *this;
    }

    /// Counts calls by method, with the names of gRPC's own metrics: grpc_server_call_started_total, _duration_seconds
    /// (by status as well), _sent_message_bytes_total and _rcvd_message_bytes_total. Methods that are unknown are
    /// "other".
    services_options& metrics(std::shared_ptr<http::metrics_registry> into) noexcept {
        metrics_ = std::move(into);
        return *this;
    }

    [[nodiscard]] std::size_t calls_max() const noexcept { return calls_max_; }
    [[nodiscard]] const std::shared_ptr<http::metrics_registry>& metrics() const noexcept { return metrics_; }
    [[nodiscard]] std::size_t receive_bytes_max() const noexcept { return receive_bytes_max_; }
    [[nodiscard]] std::size_t send_bytes_max() const noexcept { return send_bytes_max_; }
    [[nodiscard]] rpc::compression compression() const noexcept { return compression_; }

private:
    std::size_t receive_bytes_max_ = std::size_t{4} << 20;
    std::size_t send_bytes_max_ = static_cast<std::size_t>(-1);
    std::size_t calls_max_ = static_cast<std::size_t>(-1);
    std::shared_ptr<http::metrics_registry> metrics_;
    rpc::compression compression_ = rpc::compression::identity;
};

class services;
class call_metrics;
namespace detail {
class response_memory;
struct call_format;
}  // namespace detail

/// The handler of a call, and what stands in front of it. Valid while the call is handled.
class next_handler {
public:
    /// Made by services.
    next_handler(services& of, service_method& method, std::size_t index) noexcept
        : services_(of), method_(method), index_(index) {}
    /// Calls the next interceptor, or the method. Dropped: what it has called is.
    [[nodiscard]] task<> operator()(server_call& call) const;

private:
    services& services_;
    service_method& method_;
    std::size_t index_;
};

/// Stands in front of the handlers of all methods: calls `next`, or throws rpc::error to refuse the call.
///
///     calls.use([](rpc::server_call& call, rpc::next_handler next) -> task<> {
///         if (!call.request_metadata().contains("authorization"))
///             throw rpc::error(rpc::status_code::unauthenticated);
///         co_await next(call);
///     });
using interceptor = unique_function<task<>(server_call&, next_handler)>;

/// Serves services to clients of gRPC, as a handler of HTTP/2 requests: alone, or beside routes.
///
///     rpc::services calls;
///     calls.add(std::make_shared<greeter>());
///     http::server server(std::move(listener), calls, http::server_options().protocol(rpc::http2()));
///
/// In a router: `routes.mount("/", ...)`, or one route for each service: "/pkg.Greeter/{method}".
///
/// What is not a call of gRPC (another content type) gets 415; a service or method that is not here, UNIMPLEMENTED.
///
/// - Ownership: shares its services. Neither moves nor copies. Thread safety: none; a worker has its own. Services are added
///   before calls come.
/// - Cancellation: a call that is dropped drops its handler.
class services final : public http::request_handler {
public:
    explicit services(const services_options& options = {});
    ~services() override;

    /// Requires: no other of this name was added. Throws std::invalid_argument for one.
    services& add(std::shared_ptr<service> added);
    /// The same for one that outlives this.
    services& add(service& added);

    /// Adds one in front of the handlers, behind those that are there. Requires: no call has come.
    services& use(interceptor added);

    /// The names of the services that have methods, in alphabetical order.
    [[nodiscard]] std::vector<std::string> names() const;
    /// Calls that are being handled.
    [[nodiscard]] std::size_t calls() const noexcept { return calls_; }
    /// What it was made with.
    [[nodiscard]] const services_options& options() const noexcept { return options_; }

    [[nodiscard]] ready_or_task<> handle(http::exchange& ex) override;

private:
    friend class next_handler;

    [[nodiscard]] task<> serve(http::exchange& ex, service_method* method, detail::call_format format);
    [[nodiscard]] task<> run(server_call& call, service_method& method, std::size_t index);

    struct text_hash {
        using is_transparent = void;
        [[nodiscard]] std::size_t operator()(std::string_view text) const noexcept {
            return std::hash<std::string_view>()(text);
        }
    };

    class served_call;

    services_options options_;
    std::unique_ptr<call_metrics> metrics_;
    std::unique_ptr<detail::response_memory> memory_;
    std::vector<interceptor> interceptors_;
    std::size_t calls_ = 0;
    std::vector<std::shared_ptr<service>> services_;
    std::unordered_map<std::string, service_method*, text_hash, std::equal_to<>> methods_;  // by their paths
};

}  // namespace eddy::rpc
