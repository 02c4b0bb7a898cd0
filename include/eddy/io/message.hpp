#pragma once

#include <eddy/io/buffer.hpp>
#include <eddy/io/detail/operation.hpp>
#include <eddy/io/endpoint.hpp>
#include <eddy/io/local_endpoint.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace eddy {

/// The process at the other end of a local socket, as the kernel reports it.
struct peer_credentials {
    /// The number of the process.
    int process = 0;
    /// The number of its user.
    std::uint32_t user = 0;
    /// The number of its group.
    std::uint32_t group = 0;

    friend bool operator==(const peer_credentials&, const peer_credentials&) noexcept = default;
};

namespace io {

/// What is sent or received in one piece: bytes and the data beside them. Refers to memory of the caller,
/// which stays until the operation has ended.
struct message {
    /// How many descriptors go with one message at the most.
    static constexpr std::size_t descriptors_max = 16;

    /// The bytes to send, or the memory to fill, which is not const then. At most 1024 pieces.
    std::span<const const_buffer> buffers;
    /// Sending: where to; null for a connected socket. Receiving: where the sender's address is put, if it is
    /// of that kind. At most one of the two is set, `peer` for datagrams only.
    endpoint* peer = nullptr;
    /// Where it goes to or came from, for local sockets.
    eddy::local_endpoint* local_peer = nullptr;
    /// Sending: descriptors to pass. Receiving: room for those that come. They belong to the receiver, are
    /// not inherited by programs it starts, and those without room are closed.
    std::span<int> descriptors;
    /// Sending on a UDP socket: the bytes are cut into datagrams of this size. 0: one datagram.
    std::uint16_t segment_bytes = 0;
    /// Receiving: whether credentials or the segments' size are requested.
    bool wants_credentials = false;
    /// Whether several datagrams may be received as one (UDP_GRO).
    bool wants_segments = false;

    // Outcomes of receiving.

    /// How many descriptors came with it.
    std::size_t descriptors_received = 0;
    /// Of the sender, if the socket requests them.
    std::optional<peer_credentials> credentials;
    /// Several datagrams of one sender were put together: all but the last have this size. 0: one datagram.
    std::uint16_t segment_bytes_received = 0;
    /// The message was longer than the memory; the rest is lost.
    bool is_truncated = false;
    /// Descriptors came for which there was no space; they are closed.
    bool are_descriptors_lost = false;

    /// In a batch: how many bytes were sent or received.
    std::size_t transferred = 0;
};

/// Where a backend encodes a message in the system's own terms.
struct message_storage {
    /// Headers and control messages of the system.
    alignas(8) std::byte bytes[320];
};

/// send_message and receive_message.
class message_operation : public operation {
public:
    using operation::operation;

    /// What is sent or was received.
    message reported;
    /// Memory of the system's.
    message_storage storage;
};

}  // namespace io
}  // namespace eddy
