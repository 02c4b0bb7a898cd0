#include "net/bound_socket.hpp"

#include <eddy/io/detail/result.hpp>

#include <string>
#include <system_error>

namespace eddy::detail {

void require_listening(int result, const endpoint& at) {
    if (result < 0)
        throw std::system_error(io::error_of(result), "cannot listen on " + at.to_string());
}

owned_descriptor bound_socket(io::backend& backend, const endpoint& at, const listen_options& options) {
    const auto check = [&](int result) { require_listening(result, at); };
    owned_descriptor socket(backend, backend.system().sockets->open_socket(at.address_family()));
    check(socket.get());
    check(backend.system().sockets->set_option(socket.get(), io::socket_option::reuse_address, 1));
    if (options.reuse_port())
        check(backend.system().sockets->set_option(socket.get(), io::socket_option::reuse_port, 1));
    if (at.address_family() == endpoint::family::ipv6)
        check(backend.system().sockets->set_option(socket.get(), io::socket_option::ipv6_only,
                                                   options.ipv6_only()));
    // Inherited by the connections, which spares each a call of its own.
    check(backend.system().sockets->set_option(socket.get(), io::socket_option::no_delay, 1));
    if (options.unsent_bytes_max() > 0)
        check(backend.system().sockets->set_option(socket.get(), io::socket_option::unsent_bytes_max,
                                                   static_cast<int>(options.unsent_bytes_max())));
    if (options.fast_open_backlog() > 0)
        check(backend.system().sockets->set_option(socket.get(), io::socket_option::fast_open_backlog,
                                                   options.fast_open_backlog()));
    check(backend.system().sockets->bind(socket.get(), at));
    return socket;
}

}  // namespace eddy::detail
