#pragma once

#include "http/server/address_counts.hpp"
#include "http/server/server_state.hpp"

#include <eddy/core/task.hpp>
#include <eddy/net/tcp_stream.hpp>

namespace eddy::http {

/// Speaks TLS for a server. The server uses only this interface, so that a program without TLS servers is not
/// linked with OpenSSL.
class secure_service {
public:
    virtual ~secure_service() = default;

    /// Makes the handshake and serves the client behind it. A client that speaks plain HTTP gets a response
    /// that says so. Throws nothing.
    [[nodiscard]] virtual task<void> serve(server_state& shared, tcp_stream accepted,
                                           address_counts::slot slot) const = 0;
};

}  // namespace eddy::http
