#pragma once

#include "http/address_counts.hpp"
#include "http/server_state.hpp"

#include <eddy/core/task.hpp>
#include <eddy/net/tcp_stream.hpp>

namespace eddy::http {

/// Speaks TLS for a server. The server knows no more of it, so that a program whose servers speak none is not
/// linked with OpenSSL.
class secure_service {
public:
    virtual ~secure_service() = default;

    /// Makes the handshake and serves the client behind it. Whoever does not speak TLS but HTTP is told so.
    /// Nothing is thrown.
    [[nodiscard]] virtual task<void> serve(server_state& shared, tcp_stream accepted,
                                           address_counts::place place) const = 0;
};

}  // namespace eddy::http
