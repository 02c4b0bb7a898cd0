#include "net/listener_state.hpp"

#include <eddy/io/owned_descriptor.hpp>
#include <eddy/io/result.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/runtime/worker.hpp>

#include <string>
#include <system_error>

namespace eddy {

tcp_listener tcp_listener::bind(const endpoint& at, const listen_options& options) {
    worker& home = worker::current();
    io::backend& carrier = home.carrier();
    const auto check = [&](int result) {
        if (result < 0)
            throw std::system_error(io::error_of(result), "cannot listen on " + at.to_string());
    };
    detail::owned_descriptor socket(carrier, carrier.open_socket(at.address_family()));
    check(socket.get());
    check(carrier.set_option(socket.get(), io::socket_option::reuse_address, 1));
    if (options.reuse_port())
        check(carrier.set_option(socket.get(), io::socket_option::reuse_port, 1));
    if (at.address_family() == endpoint::family::ipv6)
        check(carrier.set_option(socket.get(), io::socket_option::ipv6_only, options.ipv6_only()));
    // Inherited by the connections, which spares each a call of its own.
    check(carrier.set_option(socket.get(), io::socket_option::no_delay, 1));
    if (options.unsent_bytes_max() > 0)
        check(carrier.set_option(socket.get(), io::socket_option::unsent_bytes_max,
                                 static_cast<int>(options.unsent_bytes_max())));
    if (options.fast_open_backlog() > 0)
        check(carrier.set_option(socket.get(), io::socket_option::fast_open_backlog,
                                 options.fast_open_backlog()));
    check(carrier.bind(socket.get(), at));
    check(carrier.listen(socket.get(), options.backlog()));
    auto* const state = new detail::listener_state(home, socket.get());
    socket.release();
    return tcp_listener(state);
}

tcp_listener tcp_listener::adopt(io::plain_descriptor listening) {
    worker& home = worker::current();
    io::backend& carrier = home.carrier();
    io::require_done(carrier.adopt_listening(listening.get()), "cannot take over a listener");
    io::require_done(carrier.set_option(listening.get(), io::socket_option::no_delay, 1),
                     "cannot take over a listener");
    auto* const state = new detail::listener_state(home, listening.get());
    listening.release();
    return tcp_listener(state);
}

endpoint tcp_listener::local_endpoint() const {
    endpoint found;
    io::require_done(state_->carrier().local_endpoint(state_->descriptor(), found), "getsockname");
    return found;
}

std::uint64_t tcp_listener::shortages() const noexcept {
    return state_->shortages();
}

void tcp_listener::close() noexcept {
    state_->close();
}

io::plain_descriptor tcp_listener::release() noexcept {
    return io::plain_descriptor(state_->release());
}

}  // namespace eddy
