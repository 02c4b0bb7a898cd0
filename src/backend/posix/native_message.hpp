#pragma once

#include <eddy/io/message.hpp>

#include <cstdint>
#include <sys/socket.h>

namespace eddy::backends {

/// Descriptors that arrive are not inherited by programs that this one starts.
inline constexpr int receive_flags = MSG_CMSG_CLOEXEC;

[[nodiscard]] constexpr int flags_of_sending(const io::message&) noexcept {
    return MSG_NOSIGNAL;
}

/// Encodes a message that is to be sent; the storage must stay until it is.
[[nodiscard]] msghdr& encode_outgoing(const io::message& msg, io::message_storage& storage) noexcept;

/// Spells the request for a message.
[[nodiscard]] msghdr& encode_incoming(const io::message& msg, io::message_storage& storage) noexcept;

/// Puts what the system has written beside the bytes into the message. Nothing has come if `result` is
/// negative.
void take_over(io::message& msg, const msghdr& native, std::int64_t result) noexcept;
/// The same for one that was encoded in the operation's storage.
void take_over(io::message_operation& received, std::int64_t result) noexcept;

/// Sends or receives a message if that takes no waiting; as sendmsg(2) and recvmsg(2), a failure included.
/// One that is nothing but bytes and an address goes by sendto(2) or recvfrom(2), which cost less.
[[nodiscard]] std::int64_t send_at_once(int descriptor, io::message_operation& sending) noexcept;
[[nodiscard]] std::int64_t receive_at_once(int descriptor, io::message_operation& receiving) noexcept;

}  // namespace eddy::backends
