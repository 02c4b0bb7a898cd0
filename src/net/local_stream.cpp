#include "net/local_connect.hpp"
#include "net/message_exchange.hpp"

#include <eddy/core/yield.hpp>
#include <eddy/io/detail/awaited_readiness.hpp>
#include <eddy/io/detail/result.hpp>
#include <eddy/net/local_stream.hpp>

#include <cerrno>
#include <utility>

namespace eddy {

task<local_stream> local_stream::connect(eddy::local_endpoint to) {
    auto socket = co_await detail::connect_local_socket(io::socket_kind::stream, to);
    co_return local_stream(socket.release());
}

task<std::size_t> local_stream::send_message(std::span<const std::byte> bytes,
                                             std::span<const int> descriptors) {
    EDDY_ASSERT(!bytes.empty(), "descriptors go with a byte at least");
    detail::stream_state& here = state();
    for (;;) {
        co_await detail::fair_turn();
        const std::int32_t result =
            detail::send_message_now(here.backend(), here.descriptor(), bytes, descriptors, nullptr);
        if (result >= 0)
            co_return static_cast<std::size_t>(result);
        if (result != -EAGAIN)
            io::throw_error(here.unless_closed(result), "send");
        detail::awaited_readiness writable(here.backend(), io::opcode::await_writable, here.descriptor(),
                                           &here.writing);
        co_await writable;
    }
}

task<received_message> local_stream::receive_message(std::span<std::byte> out) {
    detail::stream_state& here = state();
    EDDY_ASSERT(!here.is_receiving(), "a stream that is read by lease loses descriptors");
    received_message received;
    if (out.empty())
        co_return received;
    for (;;) {
        co_await detail::fair_turn();
        if (here.has_answer()) {
            const std::int32_t result = here.take_bytes(out);
            io::require_done(result, "receive");
            received.size = static_cast<std::size_t>(result);
            co_return received;
        }
        const std::int32_t result =
            detail::receive_message_now(here.backend(), here.descriptor(), out, received);
        if (result >= 0)
            co_return received;
        if (result != -EAGAIN)
            io::throw_error(here.unless_closed(result), "receive");
        detail::awaited_readiness readable(here.backend(), io::opcode::await_readable, here.descriptor(),
                                           &here.reading);
        co_await readable;
    }
}

eddy::local_endpoint local_stream::local_endpoint() const {
    eddy::local_endpoint found;
    io::require_done(state().backend().system().sockets->local_name(state().descriptor(), found),
                     "getsockname");
    return found;
}

eddy::local_endpoint local_stream::remote_endpoint() const {
    eddy::local_endpoint found;
    io::require_done(state().backend().system().sockets->remote_name(state().descriptor(), found),
                     "getpeername");
    return found;
}

peer_credentials local_stream::credentials() const {
    peer_credentials found;
    io::require_done(state().backend().system().sockets->credentials_of_peer(state().descriptor(), found),
                     "getsockopt");
    return found;
}

}  // namespace eddy
