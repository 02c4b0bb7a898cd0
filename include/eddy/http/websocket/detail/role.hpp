#pragma once

#include <eddy/detail/build.hpp>

#include <cstdint>

namespace eddy::http {

/// Which end of a WebSocket connection this is: the client masks what it sends, the server does not (RFC 6455
/// section 5.1).
enum class websocket_role : std::uint8_t { server, client };

}  // namespace eddy::http
