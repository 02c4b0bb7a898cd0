#include <eddy/io/owned_descriptor.hpp>
#include <eddy/net/tcp_stream.hpp>
#include <eddy/runtime/worker.hpp>

namespace eddy {

namespace {

/// Awaits a connection.
class awaited_connect : public io::awaited_operation<io::scratch_operation> {
public:
    awaited_connect(io::backend& carrier, int socket, endpoint& to) noexcept
        : awaited_operation(carrier, io::opcode::connect) {
        descriptor = socket;
        address = &to;
    }
    void await_resume() const {
        if (result() < 0)
            io::throw_error(result(), "connect");
    }
};

}  // namespace

task<tcp_stream> tcp_stream::connect(endpoint to) {
    io::backend& carrier = worker::current().carrier();
    detail::owned_descriptor socket(carrier, carrier.open_socket(to.address_family()));
    if (socket.get() < 0)
        io::throw_error(socket.get(), "socket");
    static_cast<void>(carrier.set_option(socket.get(), io::socket_option::no_delay, 1));
    co_await awaited_connect(carrier, socket.get(), to);
    co_return tcp_stream(socket.release());
}

endpoint tcp_stream::local_endpoint() const {
    endpoint found;
    if (const int result = state().carrier().local_endpoint(state().descriptor(), found); result < 0)
        io::throw_error(result, "getsockname");
    return found;
}

endpoint tcp_stream::remote_endpoint() const {
    endpoint found;
    if (const int result = state().carrier().remote_endpoint(state().descriptor(), found); result < 0)
        io::throw_error(result, "getpeername");
    return found;
}

}  // namespace eddy
