#pragma once

#include <eddy/core/async_generator.hpp>
#include <eddy/core/task.hpp>
#include <eddy/rpc/call_options.hpp>
#include <eddy/rpc/channel.hpp>
#include <eddy/rpc/client_stream.hpp>
#include <eddy/rpc/codec.hpp>
#include <eddy/rpc/detail/client_call.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace eddy::rpc {

namespace detail {

template <message Request>
[[nodiscard]] client_call new_call(const channel& through, std::string_view method, call_options options) {
    return client_call(through, method, codec<Request>::default_subtype(), std::move(options));
}

template <message Reply>
[[nodiscard]] task<Reply> make_call(client_call made, std::string request) {
    co_await made.send(std::move(request));
    co_return co_await made.template read_only<Reply>();
}

template <message Reply>
[[nodiscard]] async_generator<Reply> make_streaming_call(client_call made, std::string request) {
    co_await made.send(std::move(request));
    while (const auto bytes = co_await made.read())
        co_yield made.template decoded<Reply>(*bytes);
}

}  // namespace detail

/// Calls a method that has one request and one reply. `method` is "/package.Service/Method". The request is encoded
/// before it returns; the call is made when the task is awaited. Generated clients call this.
///
///     const std::string reply = co_await rpc::call<std::string>(through, "/pkg.Greeter/Greet", request,
///                                                               rpc::call_options().timeout(1s));
///
/// - Cancellation: dropped, the call is cancelled (RST_STREAM with CANCEL) at once.
/// - Errors: rpc::error with the status of a call that has not ended with OK: the server's, UNAVAILABLE without a
///   connection, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED beyond a limit. Throws what the codec throws.
template <message Reply, message Request>
[[nodiscard]] task<Reply> call(const channel& through, std::string_view method, const Request& request,
                               call_options options = {}) {
    auto made = detail::new_call<Request>(through, method, std::move(options));
    std::string framed = made.framed(request);
    return detail::make_call<Reply>(std::move(made), std::move(framed));
}

/// Calls a method that has one request and a stream of replies. The call is made by the first next(), and cancelled
/// when the generator is destroyed before its end. Otherwise as call().
template <message Reply, message Request>
[[nodiscard]] async_generator<Reply> call_streaming(const channel& through, std::string_view method,
                                                    const Request& request, call_options options = {}) {
    auto made = detail::new_call<Request>(through, method, std::move(options));
    std::string framed = made.framed(request);
    return detail::make_streaming_call<Reply>(std::move(made), std::move(framed));
}

/// Calls a method whose request is a stream. The call is made at once. Requires: called by a task.
template <message Request, message Reply>
[[nodiscard]] client_stream<Request, Reply> open_stream(const channel& through, std::string_view method,
                                                        call_options options = {}) {
    auto made = detail::new_call<Request>(through, method, std::move(options));
    made.open();
    return client_stream<Request, Reply>(std::move(made));
}

}  // namespace eddy::rpc
