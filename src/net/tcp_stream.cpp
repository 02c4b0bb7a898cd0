#include <eddy/core/detail/outcome_awaiter.hpp>
#include <eddy/io/detail/owned_descriptor.hpp>
#include <eddy/io/detail/result.hpp>
#include <eddy/net/tcp_stream.hpp>
#include <eddy/runtime/worker.hpp>

#include <system_error>

namespace eddy {

namespace {

/// Awaits a connection.
class awaited_connect : public io::awaited_operation<io::scratch_operation>,
                        public detail::outcome_awaiter<awaited_connect> {
public:
    awaited_connect(io::backend& backend, int socket, endpoint& to) noexcept
        : awaited_operation(backend, io::opcode::connect) {
        descriptor = socket;
        address = &to;
    }
    std::expected<void, std::error_code> outcome() const noexcept { return io::expected_done(result()); }
    [[nodiscard]] static const char* what() noexcept { return "connect"; }
};

// The port is chosen when the connection is, so that one port serves connections to many peers.
void bind(detail::owned_descriptor& socket, const endpoint& own) {
    static_cast<void>(socket.backend().system().sockets->set_option(
        socket.get(), io::socket_option::bind_address_no_port, own.port() == 0));
    if (const int result = socket.backend().system().sockets->bind(socket.get(), own); result < 0)
        throw std::system_error(io::error_of(result), "cannot connect from " + own.to_string());
}

}  // namespace

task<tcp_stream> tcp_stream::connect(endpoint to, connect_options options) {
    io::backend& backend = detail::worker_core::current().backend();
    detail::owned_descriptor socket(backend, backend.system().sockets->open_socket(to.address_family()));
    io::require_done(socket.get(), "socket");
    static_cast<void>(backend.system().sockets->set_option(socket.get(), io::socket_option::no_delay, 1));
    if (options.fast_open())
        static_cast<void>(
            backend.system().sockets->set_option(socket.get(), io::socket_option::fast_open_connect, 1));
    if (options.from())
        bind(socket, *options.from());
    co_await awaited_connect(backend, socket.get(), to);
    co_return tcp_stream(socket.release());
}

endpoint tcp_stream::local_endpoint() const {
    endpoint found;
    io::require_done(state().backend().system().sockets->local_endpoint(state().descriptor(), found),
                     "getsockname");
    return found;
}

endpoint tcp_stream::remote_endpoint() const {
    endpoint found;
    io::require_done(state().backend().system().sockets->remote_endpoint(state().descriptor(), found),
                     "getpeername");
    return found;
}

}  // namespace eddy
