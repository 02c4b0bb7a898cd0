#pragma once

#include "http/address_counts.hpp"
#include "http/server_state.hpp"

#include <eddy/core/task.hpp>
#include <eddy/net/tcp_stream.hpp>

namespace eddy::http {

/// Makes the handshake and serves the client behind it. Whoever does not speak TLS but HTTP is told so.
/// Nothing is thrown.
[[nodiscard]] task<void> serve_securely(server_state& shared, tcp_stream accepted,
                                        address_counts::place place);

}  // namespace eddy::http
