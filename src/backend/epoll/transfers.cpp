#include "backend/epoll/transfers.hpp"

#include "backend/epoll/opcode_traits.hpp"
#include "backend/posix/bare_calls.hpp"
#include "backend/posix/native_buffers.hpp"
#include "backend/posix/native_message.hpp"
#include "backend/posix/posix_system.hpp"
#include "backend/posix/quiet_write.hpp"
#include "backend/posix/system_call.hpp"

#include <eddy/io/buffer.hpp>

#include <climits>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

namespace eddy::backends {

namespace {

std::int32_t unless_not_ready(std::int64_t result, bool& is_ready) noexcept {
    if (result != -EAGAIN)
        return static_cast<std::int32_t>(result);
    is_ready = false;
    return not_ready;
}

// A connection that ended while it stood in the queue is no error of the listener (accept(2)).
bool concerns_one_connection(std::int64_t error) noexcept {
    constexpr std::array passing = {ECONNABORTED, EPROTO,       ENETDOWN, ENOPROTOOPT,
                                    EHOSTDOWN,    EHOSTUNREACH, ENONET,   ENETUNREACH};
    return std::ranges::find(passing, static_cast<int>(-error)) != passing.end();
}

using read_mode = descriptor_state::read_mode;

read_mode find_mode(int descriptor) noexcept {
    struct stat status{};
    if (::fstat(descriptor, &status) == 0 && (S_ISREG(status.st_mode) || S_ISBLK(status.st_mode)))
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

// What poll(2) says of it at once: events, 0 for none, or an error's negative number.
std::int64_t poll_now(int descriptor, short events) noexcept {
    pollfd polled{descriptor, events, 0};
    const std::int64_t result = uninterrupted_long([&] { return ::poll(&polled, 1, 0); });
    if (result <= 0)
        return result;
    return (polled.revents & POLLNVAL) != 0 ? -EBADF : polled.revents;
}

// What the system gives for a descriptor for which it knows no call that does not wait.
bool is_unable(std::int64_t result) noexcept {
    return result < 0 && (errno == EOPNOTSUPP || errno == EINVAL);
}

// Reads from a descriptor in blocking mode, which may be shared with others and so keeps its mode. Where the
// system must be asked first, somebody else may be faster than the read, which then waits.
std::int64_t read_gently(int descriptor, void* into, std::uint64_t size) noexcept {
    const iovec memory{into, size};
    const std::int64_t result = bare::preadv2(descriptor, &memory, 1, -1, RWF_NOWAIT);
    if (!is_unable(result))
        return result;
    if (poll_now(descriptor, POLLIN) != 0)
        return bare::read(descriptor, into, size);
    errno = EAGAIN;
    return -1;
}

std::int64_t write_quietly(int descriptor, const std::byte* bytes, std::uint64_t size) noexcept {
    const iovec memory{const_cast<std::byte*>(bytes), size};
    const std::int64_t result = bare::pwritev2(descriptor, &memory, 1, -1, quiet_write_flags());
    // Drivers that know no flags raise no signal either.
    return is_unable(result) ? ::write(descriptor, bytes, size) : result;
}

// The same for writing. What can be polled as writable takes PIPE_BUF bytes (pipe(7)).
std::int64_t write_gently(int descriptor, const std::byte* bytes, std::uint64_t& size) noexcept {
    const iovec memory{const_cast<std::byte*>(bytes), size};
    const std::int64_t result = bare::pwritev2(descriptor, &memory, 1, -1, quiet_write_flags() | RWF_NOWAIT);
    if (!is_unable(result))
        return result;
    size = std::min<std::uint64_t>(size, PIPE_BUF);
    if (poll_now(descriptor, POLLOUT) != 0)
        return write_quietly(descriptor, bytes, size);
    errno = EAGAIN;
    return -1;
}

// Goes on sending by send_more(bytes sent so far, bytes of this call) until all `total` bytes are sent, the
// socket is full or there is an error, which is reported by the next send if some bytes have gone before it.
template <class SendMore>
std::int32_t send_on(descriptor_state& state, io::operation& asked, std::uint64_t total,
                     SendMore send_more) noexcept {
    while (true) {
        std::uint64_t offered = 0;
        const std::int64_t sent = uninterrupted_long([&] { return send_more(asked.mark, offered); });
        if (sent < 0 && (sent == -EAGAIN || asked.mark == 0))
            return unless_not_ready(sent, state.is_writable);
        if (sent < 0)
            return static_cast<std::int32_t>(asked.mark);
        asked.mark += static_cast<std::uint64_t>(sent);
        const bool is_short = static_cast<std::uint64_t>(sent) < offered;
        if (is_short && !state.is_disturbed)
            state.is_writable = false;
        if (!asked.whole || asked.mark >= total)
            return static_cast<std::int32_t>(asked.mark);
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
        uninterrupted_long([&] { return bare::recv(state.descriptor, into, size, MSG_DONTWAIT); });
    if (result > 0 && static_cast<std::uint64_t>(result) < size && !state.is_disturbed)
        state.is_readable = false;
    return unless_not_ready(result, state.is_readable);
}

std::int32_t try_read(descriptor_state& state, io::operation& asked) noexcept {
    const std::uint64_t size = length_of(asked);
    const bool is_gentle = mode_of(state) != read_mode::never_blocks;
    const std::int64_t result = uninterrupted_long([&]() -> std::int64_t {
        return is_gentle ? read_gently(state.descriptor, asked.address, size)
                         : bare::read(state.descriptor, asked.address, size);
    });
    return unless_not_ready(result, state.is_readable);
}

std::int32_t try_connect(descriptor_state& state, io::operation& asked) noexcept {
    const bool is_begun = asked.mark != 0;
    asked.mark = 1;
    const native_endpoint to = to_native(*static_cast<const endpoint*>(asked.address));
    // A second call tells how the connection begun by the first fares, and unlike SO_ERROR it also tells a
    // connection that goes on from one that is there.
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

std::int32_t try_send(descriptor_state& state, io::operation& asked) noexcept {
    const std::uint64_t total = length_of(asked);
    return send_on(state, asked, total, [&](std::uint64_t sent, std::uint64_t& offered) {
        offered = total - sent;
        const auto* const begin = static_cast<const std::byte*>(asked.address) + sent;
        return bare::send(state.descriptor, begin, offered, MSG_NOSIGNAL | MSG_DONTWAIT);
    });
}

std::int32_t try_write(descriptor_state& state, io::operation& asked) noexcept {
    const std::uint64_t total = length_of(asked);
    const bool is_gentle = mode_of(state) != read_mode::never_blocks;
    return send_on(state, asked, total, [&](std::uint64_t sent, std::uint64_t& offered) {
        offered = total - sent;
        const auto* const begin = static_cast<const std::byte*>(asked.address) + sent;
        return is_gentle ? write_gently(state.descriptor, begin, offered)
                         : write_quietly(state.descriptor, begin, offered);
    });
}

std::int32_t try_send_vectored(descriptor_state& state, io::operation& asked) noexcept {
    const std::span buffers(static_cast<const const_buffer*>(asked.address), asked.size);
    const std::uint64_t total = total_size(buffers);
    return send_on(state, asked, total, [&](std::uint64_t sent, std::uint64_t& offered) {
        remaining_buffers remaining(buffers, sent, total - sent);
        offered = remaining.bytes();
        const msghdr message = remaining.message();
        return bare::sendmsg(state.descriptor, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    });
}

std::int32_t try_send_message(descriptor_state& state, io::operation& asked) noexcept {
    auto& sending = static_cast<io::message_operation&>(asked);
    const std::int64_t sent = uninterrupted_long([&] { return send_at_once(state.descriptor, sending); });
    if (sent == -EAGAIN && sending.told.local_peer != nullptr)
        return -EAGAIN;
    return unless_not_ready(sent, state.is_writable);
}

std::int32_t try_receive_message(descriptor_state& state, io::operation& asked) noexcept {
    auto& receiving = static_cast<io::message_operation&>(asked);
    const std::int64_t received =
        uninterrupted_long([&] { return receive_at_once(state.descriptor, receiving); });
    return unless_not_ready(received, state.is_readable);
}

std::int32_t try_splice_from(descriptor_state& state, io::operation& asked) noexcept {
    // Not every source that may block heeds the flag.
    if (mode_of(state) == read_mode::may_block && poll_now(state.descriptor, POLLIN) == 0)
        return unless_not_ready(-EAGAIN, state.is_readable);
    const int pipe = static_cast<io::splice_operation&>(asked).other;
    const std::uint64_t size = length_of(asked);
    const std::int64_t result = uninterrupted_long(
        [&] { return ::splice(state.descriptor, nullptr, pipe, nullptr, size, SPLICE_F_NONBLOCK); });
    return unless_not_ready(result, state.is_readable);
}

std::int32_t try_splice_to(descriptor_state& state, io::operation& asked) noexcept {
    // A sink that may block would do so in spite of the flag.
    if (mode_of(state) == read_mode::may_block)
        return -EINVAL;
    silence_broken_pipes();
    const int pipe = static_cast<io::splice_operation&>(asked).other;
    const std::uint64_t size = length_of(asked);
    const std::int64_t result = uninterrupted_long(
        [&] { return ::splice(pipe, nullptr, state.descriptor, nullptr, size, SPLICE_F_NONBLOCK); });
    return unless_not_ready(result, state.is_writable);
}

std::int32_t try_readiness(const descriptor_state& state, short wanted, bool& is_ready) noexcept {
    // epoll's events are poll's (epoll_ctl(2)).
    const std::uint32_t news = state.news & (static_cast<std::uint32_t>(wanted) | POLLHUP | POLLERR);
    const std::int64_t events = news != 0 ? news : poll_now(state.descriptor, wanted);
    return events != 0 ? static_cast<std::int32_t>(events) : unless_not_ready(-EAGAIN, is_ready);
}

}  // namespace

bool may_succeed_now(descriptor_state& state, io::opcode code) noexcept {
    if (state.is_foreign || code == io::opcode::shutdown)
        return !state.is_foreign;
    const bool reads = is_reader(code);
    const bool is_plain = code == io::opcode::read || code == io::opcode::write;
    if (!(reads ? state.readers : state.writers).empty() || (is_plain && is_file(state)))
        return false;
    return reads ? state.is_readable : state.is_writable;
}

std::int32_t unfinished_result(const io::operation& waiting) noexcept {
    const bool is_send = waiting.code == io::opcode::send || waiting.code == io::opcode::send_vectored ||
                         waiting.code == io::opcode::send_zero_copy || waiting.code == io::opcode::write;
    return is_send && waiting.mark > 0 ? static_cast<std::int32_t>(waiting.mark) : -ECANCELED;
}

bool is_file(descriptor_state& state) noexcept {
    return mode_of(state) == read_mode::file;
}

std::int32_t try_accept(descriptor_state& state) noexcept {
    while (true) {
        const std::int64_t result = uninterrupted_long(
            [&] { return ::accept4(state.descriptor, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC); });
        if (result >= 0 || !concerns_one_connection(result))
            return unless_not_ready(result, state.is_readable);
    }
}

std::int32_t try_receive_pooled(descriptor_state& state, listed_buffers& buffers,
                                io::buffer_pool::index buffer) noexcept {
    const std::int32_t result = try_receive(state, buffers.data(buffer), buffers.buffer_size());
    if (result <= 0)
        buffers.release(buffer);
    return result;
}

std::int32_t try_transfer(descriptor_state& state, io::operation& asked) noexcept {
    switch (asked.code) {
        case io::opcode::receive:
            return try_receive(state, asked.address, asked.size);
        case io::opcode::read:
            return try_read(state, asked);
        case io::opcode::connect:
            return try_connect(state, asked);
        case io::opcode::send:
        case io::opcode::send_zero_copy:
            return try_send(state, asked);
        case io::opcode::send_vectored:
            return try_send_vectored(state, asked);
        case io::opcode::write:
            return try_write(state, asked);
        case io::opcode::shutdown:
            return ::shutdown(asked.descriptor, static_cast<int>(asked.size)) == 0 ? 0 : -errno;
        case io::opcode::send_message:
            return try_send_message(state, asked);
        case io::opcode::receive_message:
            return try_receive_message(state, asked);
        case io::opcode::await_readable:
            return try_readiness(state, POLLIN, state.is_readable);
        case io::opcode::await_writable:
            return try_readiness(state, POLLOUT, state.is_writable);
        case io::opcode::splice_from:
            return try_splice_from(state, asked);
        case io::opcode::splice_to:
            return try_splice_to(state, asked);
        default:
            return -EINVAL;
    }
}

}  // namespace eddy::backends
