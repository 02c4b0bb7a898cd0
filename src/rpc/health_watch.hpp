#pragma once

#include <eddy/core/async_generator.hpp>
#include <eddy/rpc/health.hpp>

#include <string>
#include <string_view>

namespace eddy::rpc::detail {

class subchannel;

inline constexpr std::string_view health_watch_path = "/grpc.health.v1.Health/Watch";

/// What that method says of a service, as it changes. `head`: what begin_head() has made for it. Throws rpc::error when
/// the stream ends otherwise than with OK.
[[nodiscard]] async_generator<serving_status> watch_health(subchannel& by, std::string head,
                                                           std::string service);

}  // namespace eddy::rpc::detail
