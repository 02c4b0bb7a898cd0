#pragma once

#include <eddy/core/async_generator.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/unique_function.hpp>
#include <eddy/rpc/codec.hpp>
#include <eddy/rpc/server_call.hpp>

#include <concepts>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace eddy::rpc {

/// How many messages go each way.
enum class method_kind : std::uint8_t {
    /// One each way.
    unary,
    /// One request, any number of replies.
    server_streaming,
    /// Any number of requests, one reply.
    client_streaming,
    /// Any number each way.
    bidirectional,
};

/// One method of a service.
class service_method {
public:
    /// Handles a call.
    using handler = unique_function<task<>(server_call&)>;
    /// Whether a subtype of the content type is one of its messages' codecs.
    using subtype_check = bool (*)(std::string_view);

    /// Made by service::add() and the like.
    service_method(std::string called, method_kind of_kind, subtype_check check, handler handling)
        : name_(std::move(called)), kind_(of_kind), knows_(check), handle_(std::move(handling)) {}

    /// Its name, without that of the service.
    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    /// How many messages go each way.
    [[nodiscard]] method_kind kind() const noexcept { return kind_; }
    /// Whether its messages can be of this format.
    [[nodiscard]] bool knows(std::string_view subtype) const { return knows_(subtype); }
    /// Handles a call. Dropped: the handler is.
    [[nodiscard]] task<> handle(server_call& call) { return handle_(call); }

private:
    std::string name_;
    method_kind kind_;
    subtype_check knows_;
    handler handle_;
};

namespace detail {

template <message Request, class Handler>
[[nodiscard]] task<> handle_unary(server_call& call, Handler& handler) {
    Request request = co_await call.read_only<Request>();
    const auto reply = co_await handler(call, std::move(request));
    co_await call.write_message(reply, false);
}

template <message Request, class Handler>
[[nodiscard]] task<> handle_server_streaming(server_call& call, Handler& handler) {
    Request request = co_await call.read_only<Request>();
    auto replies = handler(call, std::move(request));
    while (const auto reply = co_await replies.next())
        co_await call.write_message(*reply, true);
}

template <message Request, class Handler>
[[nodiscard]] task<> handle_client_streaming(server_call& call, Handler& handler) {
    reader<Request> requests(call);
    const auto reply = co_await handler(call, requests);
    co_await call.write_message(reply, false);
}

template <message Request, class Handler>
[[nodiscard]] task<> handle_bidirectional(server_call& call, Handler& handler) {
    reader<Request> requests(call);
    auto replies = handler(call, requests);
    while (const auto reply = co_await replies.next())
        co_await call.write_message(*reply, true);
}

}  // namespace detail

/// A named set of methods, each with a handler. What protoc-gen-eddy generates derives from it, and handlers are
/// virtual functions there; by hand:
///
///     rpc::service greeter("pkg.Greeter");
///     greeter.add_unary<std::string, std::string>(
///         "Greet", [](rpc::server_call&, std::string name) -> task<std::string> { co_return "Hello " + name; });
///
/// A handler that throws rpc::error ends its call with that status; what else it throws is UNKNOWN to the client, and
/// reported like what handlers of HTTP throw.
///
/// - Ownership: owns its handlers. Neither moves nor copies. Thread safety: none; a worker has its own. Methods are added
///   before calls come.
/// - Cancellation: a handler is dropped when its call is cancelled, or its deadline passes.
class service {
public:
    /// With its package: "pkg.Greeter".
    explicit service(std::string name) : name_(std::move(name)) {}
    service(const service&) = delete;
    service& operator=(const service&) = delete;
    virtual ~service() = default;

    /// Its full name, as in the .proto.
    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    /// Its methods, which stay where they are.
    [[nodiscard]] std::deque<service_method>& methods() noexcept { return methods_; }

    /// The handler is called with (server_call&, Request) and returns task<Reply>.
    template <message Request, message Reply, class Handler>
        requires std::is_invocable_r_v<task<Reply>, Handler&, server_call&, Request>
    void add_unary(std::string method, Handler handler) {
        add<Request, Reply>(std::move(method), method_kind::unary,
                            [held = std::move(handler)](server_call& call) mutable {
                                return detail::handle_unary<Request>(call, held);
                            });
    }
    /// The handler is called with (server_call&, Request) and returns async_generator<Reply>.
    template <message Request, message Reply, class Handler>
        requires std::is_invocable_r_v<async_generator<Reply>, Handler&, server_call&, Request>
    void add_server_streaming(std::string method, Handler handler) {
        add<Request, Reply>(std::move(method), method_kind::server_streaming,
                            [held = std::move(handler)](server_call& call) mutable {
                                return detail::handle_server_streaming<Request>(call, held);
                            });
    }
    /// The handler is called with (server_call&, reader<Request>&) and returns task<Reply>.
    template <message Request, message Reply, class Handler>
        requires std::is_invocable_r_v<task<Reply>, Handler&, server_call&, reader<Request>&>
    void add_client_streaming(std::string method, Handler handler) {
        add<Request, Reply>(std::move(method), method_kind::client_streaming,
                            [held = std::move(handler)](server_call& call) mutable {
                                return detail::handle_client_streaming<Request>(call, held);
                            });
    }
    /// The handler is called with (server_call&, reader<Request>&) and returns async_generator<Reply>.
    template <message Request, message Reply, class Handler>
        requires std::is_invocable_r_v<async_generator<Reply>, Handler&, server_call&, reader<Request>&>
    void add_bidirectional(std::string method, Handler handler) {
        add<Request, Reply>(std::move(method), method_kind::bidirectional,
                            [held = std::move(handler)](server_call& call) mutable {
                                return detail::handle_bidirectional<Request>(call, held);
                            });
    }

private:
    template <message Request, message Reply>
    void add(std::string method, method_kind kind, service_method::handler handle) {
        const auto knows = [](std::string_view subtype) {
            return codec<Request>::knows(subtype) && codec<Reply>::knows(subtype);
        };
        methods_.emplace_back(std::move(method), kind, knows, std::move(handle));
    }

    std::string name_;
    std::deque<service_method> methods_;
};

}  // namespace eddy::rpc
