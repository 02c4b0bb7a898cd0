#pragma once

#include <eddy/core/task.hpp>
#include <eddy/rpc/metadata.hpp>

#include <functional>
#include <string>

namespace eddy::rpc {

/// Makes metadata that prove the identity of the caller, for each attempt of a call: a token that is renewed, say. `service` is where the
/// call goes to, "https://example.com/pkg.Greeter"; `method` is "/pkg.Greeter/Greet".
///
///     options.credentials([&tokens](std::string service, std::string) -> task<rpc::metadata> {
///         const std::string token = co_await tokens.current(std::move(service));
///         co_return rpc::metadata().add("authorization", "Bearer " + token);
///     });
///
/// - Cancellation: it is dropped with the call, and at its deadline.
/// - Errors: rpc::error is the call's end; another exception ends it with UNAVAILABLE.
/// - Security: in clear a call ends with UNAUTHENTICATED instead; see channel_options::insecure_credentials().
using call_credentials = std::function<task<metadata>(std::string service, std::string method)>;

}  // namespace eddy::rpc
