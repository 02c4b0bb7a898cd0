#include "backend/epoll/transfers.hpp"

#include "backend/epoll/opcode_traits.hpp"
#include "backend/posix/gentle_transfers.hpp"
#include "backend/posix/native_buffers.hpp"
#include "backend/posix/native_endpoint.hpp"
#include "backend/posix/native_message.hpp"
#include "backend/posix/raw_syscalls.hpp"
#include "backend/posix/system_call.hpp"
#include "backend/posix/write_nosignal.hpp"

#include <eddy/io/buffer.hpp>

#include <climits>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

namespace eddy::backends {

namespace {

std::int32_t unless_not_ready(std::int64_t result, bool& is_ready) noexcept {
    if (result != -EAGAIN)
        return static_cast<std::int32_t>(result);
    is_ready = false;
    return not_ready;
}

using read_mode = descriptor_state::read_mode;

read_mode find_mode(int descriptor) noexcept {
    if (is_plain_file(descriptor))
        return read_mode::file;
    // Descriptors that others have made may wait in read(2).
    const int flags = ::fcntl(descriptor, F_GETFL);
    return flags >= 0 && (flags & O_NONBLOCK) == 0 ? read_mode::may_block : read_mode::never_blocks;
}

read_mode mode_of(descriptor_state& state) noexcept {
    if (state.reading == read_mode::unknown)
        state.reading = find_mode(state.descriptor);
    return state.reading;
}

// Keeps sending by send_more(bytes sent so far, bytes of this call) until all `total` bytes are sent, the
// socket is full or there is an error, which is reported by the next send if some bytes have gone before it.
template <class SendMore>
std::int32_t send_on(descriptor_state& state, io::operation& op, std::uint64_t total,
                     SendMore send_more) noexcept {
    while (true) {
        std::uint64_t offered = 0;
        const std::int64_t sent = uninterrupted_long([&] { return send_more(op.backend_data, offered); });
        if (sent < 0 && (sent == -EAGAIN || op.backend_data == 0))
            return unless_not_ready(sent, state.is_writable);
        if (sent < 0)
            return static_cast<std::int32_t>(op.backend_data);
        op.backend_data += static_cast<std::uint64_t>(sent);
        const bool is_short = static_cast<std::uint64_t>(sent) < offered;
        if (is_short && !state.is_disturbed)
            state.is_writable = false;
        if (!op.whole || op.backend_data >= total)
            return static_cast<std::int32_t>(op.backend_data);
        if (!state.is_writable)
            return not_ready;
    }
}

// The part of a list of buffers that is still to be sent, as much of it as one call takes.
class remaining_buffers {
public:
    remaining_buffers(std::span<const const_buffer> all, std::uint64_t sent, std::uint64_t room) noexcept {
        for (const const_buffer& buffer : all) {
            if (sent >= buffer.size()) {
                sent -= buffer.size();
                continue;
            }
            const std::uint64_t size = std::min<std::uint64_t>(buffer.size() - sent, room - bytes_);
            if (size == 0 || count_ == vectors_.size())
                return;
            auto* const begin = static_cast<std::byte*>(const_cast<void*>(buffer.data())) + sent;
            vectors_[count_++] = {begin, size};
            bytes_ += size;
            sent = 0;
        }
    }

    [[nodiscard]] msghdr message() noexcept {
        msghdr made{};
        made.msg_iov = vectors_.data();
        made.msg_iovlen = count_;
        return made;
    }
    [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

private:
    std::array<iovec, 64> vectors_;
    std::size_t count_ = 0;
    std::uint64_t bytes_ = 0;
};

std::uint64_t total_size(std::span<const const_buffer> buffers) noexcept {
    std::uint64_t total = 0;
    for (const const_buffer& buffer : buffers)
        total += buffer.size();
    return std::min(total, transfer_bytes_max);
}

std::int32_t try_receive(descriptor_state& state, void* into, std::uint64_t size) noexcept {
    size = std::min(size, transfer_bytes_max);
    const std::int64_t result =
        uninterrupted_long([&] { return raw::recv(state.descriptor, into, size, MSG_DONTWAIT); });
    if (result > 0 && static_cast<std::uint64_t>(result) < size && !state.is_disturbed)
        state.is_readable = false;
    return unless_not_ready(result, state.is_readable);
}

std::int32_t try_read(descriptor_state& state, io::operation& op) noexcept {
    const std::uint64_t size = length_of(op);
    const bool is_gentle = mode_of(state) != read_mode::never_blocks;
    const std::int64_t result = uninterrupted_long([&]() -> std::int64_t {
        return is_gentle ? read_gently(state.descriptor, op.address, size)
                         : raw::read(state.descriptor, op.address, size);
    });
    return unless_not_ready(result, state.is_readable);
}

std::int32_t try_connect(descriptor_state& state, io::operation& op) noexcept {
    const bool is_begun = op.backend_data != 0;
    op.backend_data = 1;
    const native_endpoint to = to_native(*static_cast<const endpoint*>(op.address));
    // A second call reports the state of the connection that the first one began, and unlike SO_ERROR it also
    // distinguishes a pending connection from an established one.
    const auto call = [&] { return ::connect(state.descriptor, &to.any, to.size) == 0 ? 0 : -errno; };
    int result = call();
    // Within one machine the connection has come about meanwhile, and nothing has to be waited for.
    if (result == -EINPROGRESS && !is_begun)
        result = call();
    if (result == -EINPROGRESS || result == -EALREADY || result == -EINTR) {
        state.is_readable = false;
        state.is_writable = false;
        return not_ready;
    }
    if (is_begun && result == -EISCONN)
        return 0;
    if (!is_begun)
        state.is_readable = false;
    return result;
}

std::int32_t try_send(descriptor_state& state, io::operation& op) noexcept {
    const std::uint64_t total = length_of(op);
    return send_on(state, op, total, [&](std::uint64_t sent, std::uint64_t& offered) {
        offered = total - sent;
        const auto* const begin = static_cast<const std::byte*>(op.address) + sent;
        return raw::send(state.descriptor, begin, offered, MSG_NOSIGNAL | MSG_DONTWAIT);
    });
}

std::int32_t try_write(descriptor_state& state, io::operation& op) noexcept {
    const std::uint64_t total = length_of(op);
    const bool is_gentle = mode_of(state) != read_mode::never_blocks;
    return send_on(state, op, total, [&](std::uint64_t sent, std::uint64_t& offered) {
        offered = total - sent;
        const auto* const begin = static_cast<const std::byte*>(op.address) + sent;
        return is_gentle ? write_gently(state.descriptor, begin, offered)
                         : write_quietly(state.descriptor, begin, offered);
    });
}

std::int32_t try_send_vectored(descriptor_state& state, io::operation& op) noexcept {
    const std::span buffers(static_cast<const const_buffer*>(op.address), op.size);
    const std::uint64_t total = total_size(buffers);
    return send_on(state, op, total, [&](std::uint64_t sent, std::uint64_t& offered) {
        remaining_buffers remaining(buffers, sent, total - sent);
        offered = remaining.bytes();
        const msghdr message = remaining.message();
        return raw::sendmsg(state.descriptor, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    });
}

std::int32_t try_send_message(descriptor_state& state, io::operation& op) noexcept {
    auto& sending = static_cast<io::message_operation&>(op);
    const std::int64_t sent = uninterrupted_long([&] { return send_at_once(state.descriptor, sending); });
    if (sent == -EAGAIN && sending.reported.local_peer != nullptr)
        return -EAGAIN;
    return unless_not_ready(sent, state.is_writable);
}

std::int32_t try_receive_message(descriptor_state& state, io::operation& op) noexcept {
    auto& receiving = static_cast<io::message_operation&>(op);
    const std::int64_t received =
        uninterrupted_long([&] { return receive_at_once(state.descriptor, receiving); });
    return unless_not_ready(received, state.is_readable);
}

std::int32_t try_splice_from(descriptor_state& state, io::operation& op) noexcept {
    // Not every source that may block heeds the flag.
    if (mode_of(state) == read_mode::may_block && poll_now(state.descriptor, POLLIN) == 0)
        return unless_not_ready(-EAGAIN, state.is_readable);
    const int pipe = static_cast<io::splice_operation&>(op).other;
    const std::uint64_t size = length_of(op);
    const std::int64_t result = uninterrupted_long(
        [&] { return ::splice(state.descriptor, nullptr, pipe, nullptr, size, SPLICE_F_NONBLOCK); });
    return unless_not_ready(result, state.is_readable);
}

std::int32_t try_splice_to(descriptor_state& state, io::operation& op) noexcept {
    // A sink that may block would do so in spite of the flag.
    if (mode_of(state) == read_mode::may_block)
        return -EINVAL;
    broken_pipe_silence silence;
    const int pipe = static_cast<io::splice_operation&>(op).other;
    const std::uint64_t size = length_of(op);
    const std::int64_t result =
        silence.note(uninterrupted_long([&] {
                         return ::splice(pipe, nullptr, state.descriptor, nullptr, size, SPLICE_F_NONBLOCK);
                     }),
                     size);
    return unless_not_ready(result, state.is_writable);
}

std::int32_t try_readiness(const descriptor_state& state, short wanted, bool& is_ready) noexcept {
    // epoll's events are poll's (epoll_ctl(2)).
    const std::uint32_t news = state.news & (static_cast<std::uint32_t>(wanted) | POLLHUP | POLLERR);
    const std::int64_t events = news != 0 ? news : poll_now(state.descriptor, wanted);
    return events != 0 ? static_cast<std::int32_t>(events) : unless_not_ready(-EAGAIN, is_ready);
}

}  // namespace

bool may_succeed_now(descriptor_state& state, io::opcode kind) noexcept {
    if (state.is_foreign || kind == io::opcode::shutdown)
        return !state.is_foreign;
    const bool reads = is_reader(kind);
    const bool is_plain = kind == io::opcode::read || kind == io::opcode::write;
    if (!(reads ? state.readers : state.writers).empty() || (is_plain && is_file(state)))
        return false;
    return reads ? state.is_readable : state.is_writable;
}

std::int32_t unfinished_result(const io::operation& waiting) noexcept {
    const bool is_send = waiting.code == io::opcode::send || waiting.code == io::opcode::send_vectored ||
                         waiting.code == io::opcode::send_zero_copy || waiting.code == io::opcode::write;
    return is_send && waiting.backend_data > 0 ? static_cast<std::int32_t>(waiting.backend_data) : -ECANCELED;
}

bool is_file(descriptor_state& state) noexcept {
    return mode_of(state) == read_mode::file;
}

std::int32_t try_accept(descriptor_state& state) noexcept {
    const std::int64_t result = uninterrupted_long(
        [&] { return ::accept4(state.descriptor, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC); });
    return unless_not_ready(result, state.is_readable);
}

std::int32_t try_receive_pooled(descriptor_state& state, listed_buffers& buffers,
                                io::buffer_pool::index buffer) noexcept {
    const std::int32_t result = try_receive(state, buffers.data(buffer), buffers.buffer_size());
    if (result <= 0)
        buffers.release(buffer);
    return result;
}

std::int32_t try_transfer(descriptor_state& state, io::operation& op) noexcept {
    switch (op.code) {
        case io::opcode::receive:
            return try_receive(state, op.address, op.size);
        case io::opcode::read:
            return try_read(state, op);
        case io::opcode::connect:
            return try_connect(state, op);
        case io::opcode::send:
        case io::opcode::send_zero_copy:
            return try_send(state, op);
        case io::opcode::send_vectored:
            return try_send_vectored(state, op);
        case io::opcode::write:
            return try_write(state, op);
        case io::opcode::shutdown:
            return ::shutdown(op.descriptor, static_cast<int>(op.size)) == 0 ? 0 : -errno;
        case io::opcode::send_message:
            return try_send_message(state, op);
        case io::opcode::receive_message:
            return try_receive_message(state, op);
        case io::opcode::await_readable:
            return try_readiness(state, POLLIN, state.is_readable);
        case io::opcode::await_writable:
            return try_readiness(state, POLLOUT, state.is_writable);
        case io::opcode::splice_from:
            return try_splice_from(state, op);
        case io::opcode::splice_to:
            return try_splice_to(state, op);
        default:
            return -EINVAL;
    }
}

}  // namespace eddy::backends
