#include "backend/uring/prepare.hpp"

#include "backend/posix/file_requests.hpp"
#include "backend/posix/native_buffers.hpp"
#include "backend/posix/native_endpoint.hpp"
#include "backend/posix/native_message.hpp"
#include "backend/posix/write_nosignal.hpp"
#include "backend/uring/polled_transfer.hpp"
#include "backend/uring/uring_buffer_pool.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <linux/openat2.h>
#include <new>
#include <poll.h>
#include <sys/socket.h>

namespace eddy::backends {

namespace {

template <class Native>
Native& make_in_scratch(io::operation& op) noexcept {
    static_assert(sizeof(Native) <= io::scratch_operation::scratch_size && alignof(Native) <= 8);
    return *::new (static_cast<io::scratch_operation&>(op).scratch) Native{};
}

int send_flags(const io::operation& op) noexcept {
    // With MSG_WAITALL the kernel continues after a partial send by itself.
    return MSG_NOSIGNAL | (op.whole ? MSG_WAITALL : 0);
}

void prepare_connect(io_uring_sqe& entry, io::operation& op) noexcept {
    auto& address = make_in_scratch<native_endpoint>(op);
    address = to_native(*static_cast<const endpoint*>(op.address));
    io_uring_prep_connect(&entry, op.descriptor, &address.any, address.size);
}

void prepare_send_vectored(io_uring_sqe& entry, io::operation& op) noexcept {
    auto& message = make_in_scratch<msghdr>(op);
    message = message_of_buffers(op);
    io_uring_prep_sendmsg(&entry, op.descriptor, &message, static_cast<unsigned>(send_flags(op)));
}

void prepare_send_message(io_uring_sqe& entry, io::operation& op) noexcept {
    auto& sending = static_cast<io::message_operation&>(op);
    const msghdr& native = encode_outgoing(sending.reported, sending.storage);
    // Without MSG_DONTWAIT one of the kernel's threads would wait for room in a local peer's queue.
    const int flags =
        flags_of_sending(sending.reported) | (sending.reported.local_peer != nullptr ? MSG_DONTWAIT : 0);
    io_uring_prep_sendmsg(&entry, op.descriptor, &native, static_cast<unsigned>(flags));
}

void prepare_receive_message(io_uring_sqe& entry, io::operation& op) noexcept {
    auto& receiving = static_cast<io::message_operation&>(op);
    msghdr& native = encode_incoming(receiving.reported, receiving.storage);
    io_uring_prep_recvmsg(&entry, op.descriptor, &native, static_cast<unsigned>(receive_flags));
}

// At the file's own position, if it has one.
constexpr std::uint64_t own_position = ~std::uint64_t{0};

void prepare_write(io_uring_sqe& entry, const io::operation& op) noexcept {
    io_uring_prep_write(&entry, op.descriptor, op.address, length_of(op), own_position);
    entry.rw_flags = write_nosignal_flags();
}

struct open_request {
    open_how how{};
    int attempts = 1;
};

void prepare_open(io_uring_sqe& entry, io::operation& op) noexcept {
    open_how& how = make_in_scratch<open_request>(op).how;
    how = to_open_how(op);
    io_uring_prep_openat2(&entry, opening_directory(op), static_cast<const char*>(op.address), &how);
}

open_request& request_of(io::operation& op) noexcept {
    return *std::launder(reinterpret_cast<open_request*>(static_cast<io::scratch_operation&>(op).scratch));
}

// What is polled is carried out when the descriptor is ready: see complete().
void prepare_poll(io_uring_sqe& entry, io::operation& op) noexcept {
    const bool is_taking = op.code == io::opcode::read || op.code == io::opcode::splice_from;
    op.state = polled;
    io_uring_prep_poll_add(&entry, op.descriptor, is_taking ? POLLIN : POLLOUT);
}

}  // namespace

// The kernel moves the bytes on a thread of its own, which must not wait there for long: it is submitted when
// the descriptor is ready. (Only a socket that takes a part makes it wait, until the rest has gone too.)
void prepare_splice(io_uring_sqe& entry, io::operation& op) noexcept {
    const auto& splice = static_cast<const io::splice_operation&>(op);
    const bool is_taking = op.code == io::opcode::splice_from;
    op.state = io::operation::progress::in_flight;
    constexpr std::int64_t no_offset = -1;
    const auto place = static_cast<std::int64_t>(op.offset);
    if (is_taking)
        io_uring_prep_splice(&entry, op.descriptor, place, splice.other, no_offset, length_of(op),
                             SPLICE_F_NONBLOCK);
    else
        io_uring_prep_splice(&entry, splice.other, no_offset, op.descriptor, place, length_of(op),
                             SPLICE_F_NONBLOCK);
}

void prepare(io_uring_sqe& entry, io::operation& op) noexcept {
    const int descriptor = op.descriptor;
    switch (op.code) {
        case io::opcode::accept_multishot:
            io_uring_prep_multishot_accept(&entry, descriptor, nullptr, nullptr, SOCK_CLOEXEC);
            break;
        case io::opcode::connect:
            prepare_connect(entry, op);
            break;
        case io::opcode::receive:
            io_uring_prep_recv(&entry, descriptor, op.address, length_of(op), 0);
            break;
        case io::opcode::receive_multishot:
            if (op.whole)
                io_uring_prep_recv(&entry, descriptor, nullptr, 0, 0);
            else
                io_uring_prep_recv_multishot(&entry, descriptor, nullptr, 0, 0);
            entry.flags |= IOSQE_BUFFER_SELECT;
            entry.buf_group = uring_buffer_pool::group;
            break;
        case io::opcode::send:
            io_uring_prep_send(&entry, descriptor, op.address, length_of(op), send_flags(op));
            break;
        case io::opcode::send_zero_copy:
            io_uring_prep_send_zc(&entry, descriptor, op.address, length_of(op), send_flags(op), 0);
            break;
        case io::opcode::send_vectored:
            prepare_send_vectored(entry, op);
            break;
        case io::opcode::shutdown:
            io_uring_prep_shutdown(&entry, descriptor, static_cast<int>(op.size));
            break;
        case io::opcode::read:
            if (is_polled_first(op))
                prepare_poll(entry, op);
            else
                io_uring_prep_read(&entry, descriptor, op.address, length_of(op), own_position);
            break;
        case io::opcode::open_beneath:
        case io::opcode::open:
            prepare_open(entry, op);
            break;
        case io::opcode::read_at:
            io_uring_prep_read(&entry, descriptor, op.address, length_of(op), op.offset);
            break;
        case io::opcode::write_at:
            io_uring_prep_write(&entry, descriptor, op.address, length_of(op), op.offset);
            break;
        case io::opcode::read_vectored_at:
            io_uring_prep_readv(&entry, descriptor, static_cast<const iovec*>(op.address), vectors_of(op),
                                op.offset);
            break;
        case io::opcode::write_vectored_at:
            io_uring_prep_writev(&entry, descriptor, static_cast<const iovec*>(op.address), vectors_of(op),
                                 op.offset);
            break;
        case io::opcode::send_message:
            prepare_send_message(entry, op);
            break;
        case io::opcode::receive_message:
            prepare_receive_message(entry, op);
            break;
        case io::opcode::write:
            if (is_polled_first(op))
                prepare_poll(entry, op);
            else
                prepare_write(entry, op);
            break;
        case io::opcode::await_readable:
            io_uring_prep_poll_add(&entry, descriptor, POLLIN);
            break;
        case io::opcode::await_writable:
            io_uring_prep_poll_add(&entry, descriptor, POLLOUT);
            break;
        case io::opcode::splice_from:
        case io::opcode::splice_to:
            // A file is always ready.
            if (op.offset == io::splice_operation::no_offset)
                prepare_poll(entry, op);
            else
                prepare_splice(entry, op);
            break;
    }
}

bool is_worth_another_try(io::operation& op, std::int32_t result) noexcept {
    // A process that keeps renaming directories can make RESOLVE_BENEATH fail for ever.
    constexpr int attempts_max = 32;
    if (io::is_splice(op.code) && result == -EAGAIN)
        return true;
    // Connecting continues after a signal (connect(2)).
    if (result == -EINTR)
        return op.code != io::opcode::connect;
    if (result != -EAGAIN || !is_opening(op))
        return false;
    return request_of(op).attempts++ < attempts_max;
}

void prepare_again(io_uring_sqe& entry, io::operation& op) noexcept {
    if (io::is_splice(op.code))
        return prepare_poll(entry, op);
    if (!is_opening(op))
        return prepare(entry, op);
    io_uring_prep_openat2(&entry, opening_directory(op), static_cast<const char*>(op.address),
                          &request_of(op).how);
}

}  // namespace eddy::backends
