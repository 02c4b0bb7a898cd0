#include "net/local_connect.hpp"

#include <eddy/io/detail/result.hpp>
#include <eddy/net/message_socket.hpp>

namespace eddy {

task<local_packets> local_packets::connect(eddy::local_endpoint to) {
    auto socket = co_await detail::connect_local_socket(io::socket_kind::packets, to);
    co_return local_packets(socket.release());
}

eddy::local_endpoint local_packets::remote_endpoint() const {
    eddy::local_endpoint found;
    io::require_done(state().backend().system().sockets->remote_name(state().descriptor(), found),
                     "getpeername");
    return found;
}

peer_credentials local_packets::credentials() const {
    peer_credentials found;
    io::require_done(state().backend().system().sockets->credentials_of_peer(state().descriptor(), found),
                     "getsockopt");
    return found;
}

}  // namespace eddy
