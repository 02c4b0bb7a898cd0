#include "net/bound_socket.hpp"
#include "net/listener_state.hpp"

#include <eddy/io/detail/result.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/runtime/worker.hpp>

namespace eddy {

tcp_listener tcp_listener::bind(const endpoint& at, const listen_options& options) {
    detail::worker_core& home = detail::worker_core::current();
    io::backend& backend = home.backend();
    detail::owned_descriptor socket = detail::bound_socket(backend, at, options);
    detail::require_listening(backend.system().sockets->listen(socket.get(), options.backlog()), at);
    auto* const state = new detail::listener_state(home, socket.get());
    socket.release();
    return tcp_listener(state);
}

tcp_listener tcp_listener::adopt(io::plain_descriptor listening) {
    detail::worker_core& home = detail::worker_core::current();
    io::backend& backend = home.backend();
    io::require_done(backend.system().sockets->adopt_listening(listening.get()),
                     "cannot take over a listener");
    io::require_done(backend.system().sockets->set_option(listening.get(), io::socket_option::no_delay, 1),
                     "cannot take over a listener");
    auto* const state = new detail::listener_state(home, listening.get());
    listening.release();
    return tcp_listener(state);
}

endpoint tcp_listener::local_endpoint() const {
    endpoint found;
    io::require_done(state_->backend().system().sockets->local_endpoint(state_->descriptor(), found),
                     "getsockname");
    return found;
}

std::uint64_t tcp_listener::shortages() const noexcept {
    return state_->shortages();
}

void tcp_listener::on_shortage(std::function<void()> reported) {
    state_->on_shortage(std::move(reported));
}

void tcp_listener::close() noexcept {
    state_->close();
}

io::plain_descriptor tcp_listener::release() noexcept {
    return io::plain_descriptor(state_->release());
}

}  // namespace eddy
