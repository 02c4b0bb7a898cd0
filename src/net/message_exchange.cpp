#include "net/message_exchange.hpp"

#include <array>

namespace eddy::detail {

std::int32_t receive_message_now(io::backend& backend, int descriptor, std::span<std::byte> into,
                                 received_message& out) noexcept {
    std::array<int, passed_descriptors::count_max> received{};
    const const_buffer piece(into);
    io::message msg;
    msg.buffers = std::span(&piece, 1);
    msg.descriptors = received;
    msg.wants_credentials = true;
    if (const int count = backend.system().sockets->receive_messages(descriptor, std::span(&msg, 1));
        count < 0)
        return count;
    out.size = msg.transferred;
    out.descriptors = passed_descriptors(backend, std::span(received).first(msg.descriptors_received));
    out.credentials = msg.credentials;
    out.is_truncated = msg.is_truncated;
    out.are_descriptors_lost = msg.are_descriptors_lost;
    return static_cast<std::int32_t>(msg.transferred);
}

std::int32_t send_message_now(io::backend& backend, int descriptor, std::span<const std::byte> bytes,
                              std::span<const int> passed, const local_endpoint* to) noexcept {
    const const_buffer piece(bytes);
    io::message msg;
    msg.buffers = std::span(&piece, 1);
    msg.descriptors = std::span(const_cast<int*>(passed.data()), passed.size());
    msg.local_peer = const_cast<local_endpoint*>(to);
    const int count = backend.system().sockets->send_messages(descriptor, std::span(&msg, 1));
    return count < 0 ? count : static_cast<std::int32_t>(msg.transferred);
}

}  // namespace eddy::detail
