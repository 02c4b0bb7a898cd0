#include "backend/uring/direct_call.hpp"

#include "backend/posix/bare_calls.hpp"
#include "backend/posix/native_buffers.hpp"
#include "backend/posix/native_message.hpp"
#include "backend/posix/quiet_write.hpp"

#include <eddy/io/backend.hpp>

#include <climits>

#include <cerrno>
#include <sys/socket.h>

namespace eddy::backends {

namespace {

constexpr int sending = MSG_NOSIGNAL | MSG_DONTWAIT;

// What could not be done at once, or not in this way, the ring sees to.
std::int32_t unless_waiting(std::int64_t result) noexcept {
    if (result >= 0)
        return static_cast<std::int32_t>(result);
    const bool is_for_the_ring = errno == EAGAIN || errno == EINTR || errno == EOPNOTSUPP || errno == EINVAL;
    return is_for_the_ring ? io::not_now : -errno;
}

std::int64_t send_vectored(const io::operation& asked) noexcept {
    if (asked.size > IOV_MAX)
        return errno = EINVAL, -1;
    const msghdr message = message_of_buffers(asked);
    return bare::sendmsg(asked.descriptor, &message, sending);
}

}  // namespace

std::int32_t call_directly(io::operation& asked) noexcept {
    const iovec memory{asked.address, length_of(asked)};
    switch (asked.code) {
        case io::opcode::receive:
            return unless_waiting(
                bare::recv(asked.descriptor, memory.iov_base, memory.iov_len, MSG_DONTWAIT));
        case io::opcode::send:
            return unless_waiting(bare::send(asked.descriptor, memory.iov_base, memory.iov_len, sending));
        case io::opcode::send_vectored:
            return unless_waiting(send_vectored(asked));
        case io::opcode::receive_message:
            return unless_waiting(
                receive_at_once(asked.descriptor, static_cast<io::message_operation&>(asked)));
        case io::opcode::send_message: {
            auto& message = static_cast<io::message_operation&>(asked);
            // To a local peer: one that finds the queue full and goes to the ring then is, once there is
            // room, an empty message now and then (Linux 6.18), which it is not when it went there to begin
            // with.
            return message.told.peer != nullptr ? unless_waiting(send_at_once(asked.descriptor, message))
                                                : io::not_now;
        }
        case io::opcode::read:
            return unless_waiting(bare::preadv2(asked.descriptor, &memory, 1, -1, RWF_NOWAIT));
        case io::opcode::write:
            return unless_waiting(
                bare::pwritev2(asked.descriptor, &memory, 1, -1, quiet_write_flags() | RWF_NOWAIT));
        case io::opcode::shutdown:
            return unless_waiting(::shutdown(asked.descriptor, static_cast<int>(asked.size)));
        default:
            return io::not_now;
    }
}

}  // namespace eddy::backends
