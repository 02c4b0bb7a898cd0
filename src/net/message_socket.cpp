#include "net/message_exchange.hpp"

#include <eddy/core/yield.hpp>
#include <eddy/io/owned_descriptor.hpp>
#include <eddy/io/result.hpp>
#include <eddy/net/message_socket.hpp>
#include <eddy/runtime/worker.hpp>

#include <cerrno>
#include <system_error>

namespace eddy {

namespace {

std::unique_ptr<detail::datagram_state> make_state(int descriptor) {
    io::backend& carrier = worker::current().carrier();
    detail::owned_descriptor guarded(carrier, descriptor);
    auto made = std::make_unique<detail::datagram_state>(carrier, descriptor, io::opcode::send_message);
    guarded.release();
    return made;
}

}  // namespace

message_socket::message_socket(int descriptor) : state_(make_state(descriptor)) {}

task<received_message> message_socket::receive_message(std::span<std::byte> out) {
    detail::datagram_state& state = *state_;
    received_message received;
    if (state.has_kept()) {
        const auto kept = state.take_kept();
        if (!kept)
            throw std::system_error(kept.error(), "receive");
        received.size = (*kept)->copy_to(out);
        received.is_truncated = (*kept)->is_truncated;
        co_return received;
    }
    for (;;) {
        co_await detail::fair_turn(1);
        const std::int32_t result =
            detail::receive_message_now(state.carrier(), state.descriptor(), out, received);
        if (result >= 0)
            co_return received;
        if (result != -EAGAIN)
            io::throw_error(detail::error_on(state, result), "receive");
        detail::awaited_datagram_readiness readable(state, io::opcode::await_readable);
        co_await readable;
    }
}

task<std::size_t> message_socket::send_message(std::span<const std::byte> bytes,
                                               std::span<const int> descriptors) {
    detail::datagram_state& state = *state_;
    for (;;) {
        co_await detail::fair_turn(1);
        const std::int32_t result =
            detail::send_message_now(state.carrier(), state.descriptor(), bytes, descriptors, nullptr);
        if (result >= 0)
            co_return static_cast<std::size_t>(result);
        if (result != -EAGAIN)
            io::throw_error(detail::error_on(state, result), "send");
        detail::awaited_datagram_readiness writable(state, io::opcode::await_writable);
        co_await writable;
    }
}

eddy::local_endpoint message_socket::local_endpoint() const {
    eddy::local_endpoint found;
    io::require_done(state_->carrier().local_name(state_->descriptor(), found), "getsockname");
    return found;
}

void message_socket::set_option(io::socket_option option, int value) {
    io::require_done(state_->carrier().set_option(state_->descriptor(), option, value), "setsockopt");
}

}  // namespace eddy
