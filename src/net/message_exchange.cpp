#include "net/message_exchange.hpp"

#include <array>

namespace eddy::detail {

std::int32_t receive_message_now(io::backend& carrier, int descriptor, std::span<std::byte> into,
                                 received_message& out) noexcept {
    std::array<int, passed_descriptors::count_max> room{};
    const const_buffer piece(into);
    io::message told;
    told.buffers = std::span(&piece, 1);
    told.descriptors = room;
    told.wants_credentials = true;
    if (const int count = carrier.receive_messages(descriptor, std::span(&told, 1)); count < 0)
        return count;
    out.size = told.transferred;
    out.descriptors = passed_descriptors(carrier, std::span(room).first(told.descriptors_received));
    out.credentials = told.credentials;
    out.is_truncated = told.is_truncated;
    out.are_descriptors_lost = told.are_descriptors_lost;
    return static_cast<std::int32_t>(told.transferred);
}

std::int32_t send_message_now(io::backend& carrier, int descriptor, std::span<const std::byte> bytes,
                              std::span<const int> passed, const local_endpoint* to) noexcept {
    const const_buffer piece(bytes);
    io::message told;
    told.buffers = std::span(&piece, 1);
    told.descriptors = std::span(const_cast<int*>(passed.data()), passed.size());
    told.local_peer = const_cast<local_endpoint*>(to);
    const int count = carrier.send_messages(descriptor, std::span(&told, 1));
    return count < 0 ? count : static_cast<std::int32_t>(told.transferred);
}

}  // namespace eddy::detail
