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

void shared_listeners::adopt(io::plain_descriptor listening) {
    const io::system& system = detail::worker_core::current().backend().system();
    io::require_done(system.sockets->adopt_listening(listening.get()), "cannot take over a listener");
    io::require_done(system.sockets->local_endpoint(listening.get(), where_), "cannot take over a listener");
    for (io::plain_descriptor& each : waiting_) {
        each = io::plain_descriptor(system.files->duplicate(listening.get()));
        io::require_done(each.get(), "cannot take over a listener");
    }
}

tcp_listener shared_listeners::take(std::size_t worker) {
    return tcp_listener::adopt(std::move(waiting_[worker]));
}

}  // namespace eddy
