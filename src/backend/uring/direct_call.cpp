#include "backend/uring/direct_call.hpp"

#include "backend/posix/native_buffers.hpp"
#include "backend/posix/native_message.hpp"
#include "backend/posix/raw_syscalls.hpp"
#include "backend/posix/write_nosignal.hpp"
#include "backend/uring/polled_transfer.hpp"

#include <eddy/io/detail/backend.hpp>

#include <climits>

#include <cerrno>
#include <sys/socket.h>

namespace eddy::backends {

namespace {

constexpr int sending_flags = MSG_NOSIGNAL | MSG_DONTWAIT;

// What could not be done at once, or not in this way, the ring sees to.
std::int32_t unless_waiting(std::int64_t result) noexcept {
    if (result >= 0)
        return static_cast<std::int32_t>(result);
    const bool is_for_the_ring = errno == EAGAIN || errno == EINTR || errno == EOPNOTSUPP || errno == EINVAL;
    return is_for_the_ring ? io::not_now : -errno;
}

std::int32_t unless_early(std::int32_t result) noexcept {
    return result == -EAGAIN ? io::not_now : result;
}

std::int64_t send_vectored(const io::operation& op) noexcept {
    if (op.size > IOV_MAX)
        return errno = EINVAL, -1;
    const msghdr message = message_of_buffers(op);
    return raw::sendmsg(op.descriptor, &message, sending_flags);
}

}  // namespace

std::int32_t call_directly(io::operation& op) noexcept {
    const iovec memory{op.address, length_of(op)};
    switch (op.code) {
        case io::opcode::receive:
            return unless_waiting(raw::recv(op.descriptor, memory.iov_base, memory.iov_len, MSG_DONTWAIT));
        case io::opcode::send:
            return unless_waiting(raw::send(op.descriptor, memory.iov_base, memory.iov_len, sending_flags));
        case io::opcode::send_vectored:
            return unless_waiting(send_vectored(op));
        case io::opcode::receive_message:
            return unless_waiting(receive_at_once(op.descriptor, static_cast<io::message_operation&>(op)));
        case io::opcode::send_message: {
            auto& message = static_cast<io::message_operation&>(op);
            // To a local peer: one that finds the queue full and goes to the ring then is, once there is
            // room, an empty message now and then (Linux 6.18), which it is not when it went there to begin
            // with.
            return message.reported.peer != nullptr ? unless_waiting(send_at_once(op.descriptor, message))
                                                    : io::not_now;
        }
        case io::opcode::read:
            if (is_polled_first(op))
                return unless_early(transfer_when_ready(op));
            return unless_waiting(raw::preadv2(op.descriptor, &memory, 1, -1, RWF_NOWAIT));
        case io::opcode::write:
            if (is_polled_first(op))
                return unless_early(transfer_when_ready(op));
            return unless_waiting(
                raw::pwritev2(op.descriptor, &memory, 1, -1, write_nosignal_flags() | RWF_NOWAIT));
        case io::opcode::shutdown:
            return unless_waiting(::shutdown(op.descriptor, static_cast<int>(op.size)));
        default:
            return io::not_now;
    }
}

}  // namespace eddy::backends
