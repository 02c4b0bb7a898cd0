#include "net/message_exchange.hpp"

#include <eddy/core/yield.hpp>
#include <eddy/io/detail/awaited_readiness.hpp>
#include <eddy/io/detail/owned_descriptor.hpp>
#include <eddy/io/detail/result.hpp>
#include <eddy/net/message_socket.hpp>
#include <eddy/runtime/worker.hpp>

#include <cerrno>
#include <system_error>

namespace eddy {

namespace {

std::unique_ptr<detail::datagram_state> make_datagram_state(int descriptor) {
    detail::worker_core& home = detail::worker_core::current();
    detail::owned_descriptor guarded(home.backend(), descriptor);
    auto made = std::make_unique<detail::datagram_state>(home, descriptor, io::opcode::send_message);
    guarded.release();
    return made;
}

}  // namespace

message_socket::message_socket(int descriptor) : state_owner(make_datagram_state(descriptor)) {}

task<received_message> message_socket::receive_message(std::span<std::byte> out) {
    detail::datagram_state& state = here();
    received_message received;
    if (out.empty())
        co_return received;
    const detail::receiving_task receiving(state);
    if (state.has_kept()) {
        const auto kept = state.take_kept();
        if (!kept)
            throw std::system_error(kept.error(), "receive");
        received.size = (*kept)->copy_to(out);
        received.is_truncated = (*kept)->is_truncated;
        co_return received;
    }
    for (;;) {
        co_await detail::fair_turn();
        const std::int32_t result =
            detail::receive_message_now(state.backend(), state.descriptor(), out, received);
        if (result >= 0)
            co_return received;
        if (result != -EAGAIN)
            io::throw_error(state.unless_closed(result), "receive");
        detail::awaited_readiness readable(state.backend(), io::opcode::await_readable, state.descriptor());
        const detail::socket_use use(state, readable);
        co_await readable;
    }
}

task<std::size_t> message_socket::send_message(std::span<const std::byte> bytes,
                                               std::span<const int> descriptors) {
    detail::datagram_state& state = here();
    for (;;) {
        co_await detail::fair_turn();
        const std::int32_t result =
            detail::send_message_now(state.backend(), state.descriptor(), bytes, descriptors, nullptr);
        if (result >= 0)
            co_return static_cast<std::size_t>(result);
        if (result != -EAGAIN)
            io::throw_error(state.unless_closed(result), "send");
        detail::awaited_readiness writable(state.backend(), io::opcode::await_writable, state.descriptor());
        const detail::socket_use use(state, writable);
        co_await writable;
    }
}

eddy::local_endpoint message_socket::local_endpoint() const {
    eddy::local_endpoint found;
    io::require_done(state().backend().system().sockets->local_name(state().descriptor(), found),
                     "getsockname");
    return found;
}

void message_socket::set_option(io::socket_option option, int value) {
    io::require_done(state().backend().system().sockets->set_option(state().descriptor(), option, value),
                     "setsockopt");
}

}  // namespace eddy
