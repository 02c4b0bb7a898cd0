#pragma once

#include <eddy/core/async_generator.hpp>
#include <eddy/http/client/client.hpp>
#include <eddy/http/client/client_request.hpp>
#include <eddy/rpc/health.hpp>

#include <string>

namespace eddy::rpc::detail {

/// What grpc.health.v1.Health/Watch says of a service, as it changes. `request` is one to that method. Throws rpc::error when
/// the stream ends otherwise than with OK.
[[nodiscard]] async_generator<serving_status> watch_health(http::client& by, http::client_request request,
                                                           std::string service);

}  // namespace eddy::rpc::detail
