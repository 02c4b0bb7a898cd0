#pragma once

#include <eddy/io/buffer.hpp>
#include <eddy/io/detail/operation.hpp>

#include <climits>

#include <algorithm>
#include <cstdint>
#include <sys/socket.h>
#include <sys/uio.h>

namespace eddy::backends {

// An operation's memory in the system's own terms.

static_assert(sizeof(const_buffer) == sizeof(iovec) && alignof(const_buffer) == alignof(iovec));
static_assert(sizeof(mutable_buffer) == sizeof(iovec) && alignof(mutable_buffer) == alignof(iovec));

/// The most that one transfer moves, at which the system itself stops (read(2)).
inline constexpr std::uint64_t transfer_bytes_max = 0x7ffff000;

/// How many bytes one call moves at most.
[[nodiscard]] inline std::uint32_t length_of(const io::operation& op) noexcept {
    return static_cast<std::uint32_t>(std::min(op.size, transfer_bytes_max));
}

/// How many of its buffers a vectored operation takes: as many as the system takes in one call.
[[nodiscard]] inline unsigned vectors_of(const io::operation& op) noexcept {
    return static_cast<unsigned>(std::min<std::uint64_t>(op.size, IOV_MAX));
}

/// The message of a send_vectored.
[[nodiscard]] inline msghdr message_of_buffers(const io::operation& op) noexcept {
    msghdr message{};
    message.msg_iov = static_cast<iovec*>(op.address);
    message.msg_iovlen = op.size;
    return message;
}

}  // namespace eddy::backends
