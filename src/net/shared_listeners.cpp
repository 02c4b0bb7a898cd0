#include "net/bound_socket.hpp"

#include <eddy/io/detail/result.hpp>
#include <eddy/net/shared_listeners.hpp>
#include <eddy/runtime/worker.hpp>

#include <utility>

namespace eddy {

void shared_listeners::open(const endpoint& wanted, listen_options options) {
    {
        // Without sharing, so that it fails if the port is taken. A client that connected to it would be reset.
        io::backend& backend = detail::worker_core::current().backend();
        const detail::owned_descriptor alone =
            detail::bound_socket(backend, wanted, options.reuse_port(false));
        io::require_done(backend.system().sockets->local_endpoint(alone.get(), where_), "getsockname");
    }
    options.reuse_port(true);
    for (io::plain_descriptor& each : waiting_)
        each = tcp_listener::bind(where_, options).release();
}

tcp_listener shared_listeners::take(std::size_t worker) {
    return tcp_listener::adopt(std::move(waiting_[worker]));
}

}  // namespace eddy
