#pragma once

#include <eddy/detail/build.hpp>

#include <memory>

namespace eddy::http {

class client_protocol;
class other_protocol;
class server_state;

/// Another protocol that a server and a client can speak beside HTTP/1; see http2(). Belongs to no thread.
class protocol_choice {
public:
    virtual ~protocol_choice() = default;

    /// What one server, or one client, needs for it. Throw std::bad_alloc.
    [[nodiscard]] virtual std::unique_ptr<other_protocol> make(server_state& shared) const = 0;
    /// Makes what a client's connection speaks.
    [[nodiscard]] virtual std::unique_ptr<client_protocol> make_for_client() const = 0;
};

}  // namespace eddy::http
