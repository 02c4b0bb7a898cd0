#include "backend/uring/prepare.hpp"

#include "backend/posix/file_requests.hpp"
#include "backend/posix/native_buffers.hpp"
#include "backend/posix/native_message.hpp"
#include "backend/posix/posix_system.hpp"
#include "backend/posix/quiet_write.hpp"
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
Native& make_in_scratch(io::operation& asked) noexcept {
    static_assert(sizeof(Native) <= io::scratch_operation::scratch_size && alignof(Native) <= 8);
    return *::new (static_cast<io::scratch_operation&>(asked).scratch) Native{};
}

int send_flags(const io::operation& asked) noexcept {
    // With MSG_WAITALL the kernel goes on after a partial send by itself.
    return MSG_NOSIGNAL | (asked.whole ? MSG_WAITALL : 0);
}

void prepare_connect(io_uring_sqe& entry, io::operation& asked) noexcept {
    auto& address = make_in_scratch<native_endpoint>(asked);
    address = to_native(*static_cast<const endpoint*>(asked.address));
    io_uring_prep_connect(&entry, asked.descriptor, &address.any, address.size);
}

void prepare_send_vectored(io_uring_sqe& entry, io::operation& asked) noexcept {
    auto& message = make_in_scratch<msghdr>(asked);
    message = message_of_buffers(asked);
    io_uring_prep_sendmsg(&entry, asked.descriptor, &message, static_cast<unsigned>(send_flags(asked)));
}

void prepare_send_message(io_uring_sqe& entry, io::operation& asked) noexcept {
    auto& sending = static_cast<io::message_operation&>(asked);
    const msghdr& native = spell_outgoing(sending.told, sending.room);
    // Without MSG_DONTWAIT one of the kernel's threads would wait for room in a local peer's queue.
    const int flags =
        flags_of_sending(sending.told) | (sending.told.local_peer != nullptr ? MSG_DONTWAIT : 0);
    io_uring_prep_sendmsg(&entry, asked.descriptor, &native, static_cast<unsigned>(flags));
}

void prepare_receive_message(io_uring_sqe& entry, io::operation& asked) noexcept {
    auto& receiving = static_cast<io::message_operation&>(asked);
    msghdr& native = spell_incoming(receiving.told, receiving.room);
    io_uring_prep_recvmsg(&entry, asked.descriptor, &native, static_cast<unsigned>(receive_flags));
}

// At the file's own position, if it has one.
constexpr std::uint64_t own_position = ~std::uint64_t{0};

void prepare_write(io_uring_sqe& entry, const io::operation& asked) noexcept {
    io_uring_prep_write(&entry, asked.descriptor, asked.address, length_of(asked), own_position);
    entry.rw_flags = quiet_write_flags();
}

struct open_request {
    open_how how{};
    int attempts = 1;
};

void prepare_open(io_uring_sqe& entry, io::operation& asked) noexcept {
    open_how& how = make_in_scratch<open_request>(asked).how;
    how = to_open_how(asked);
    io_uring_prep_openat2(&entry, opening_folder(asked), static_cast<const char*>(asked.address), &how);
}

open_request& request_of(io::operation& asked) noexcept {
    return *std::launder(reinterpret_cast<open_request*>(static_cast<io::scratch_operation&>(asked).scratch));
}

// The kernel moves the bytes on a thread of its own, which must not wait there for long: it is asked when the
// descriptor is ready. (Only a socket that takes a part makes it wait, until the rest has gone too.)
void prepare_splice(io_uring_sqe& entry, io::operation& asked) noexcept {
    auto& splice = static_cast<io::splice_operation&>(asked);
    const bool is_taking = asked.code == io::opcode::splice_from;
    if (!splice.is_ready) {
        io_uring_prep_poll_add(&entry, asked.descriptor, is_taking ? POLLIN : POLLOUT);
        return;
    }
    constexpr std::int64_t no_place = -1;
    const auto place = static_cast<std::int64_t>(asked.offset);
    if (is_taking)
        io_uring_prep_splice(&entry, asked.descriptor, place, splice.other, no_place, length_of(asked),
                             SPLICE_F_NONBLOCK);
    else
        io_uring_prep_splice(&entry, splice.other, no_place, asked.descriptor, place, length_of(asked),
                             SPLICE_F_NONBLOCK);
}

}  // namespace

void prepare(io_uring_sqe& entry, io::operation& asked) noexcept {
    const int descriptor = asked.descriptor;
    switch (asked.code) {
        case io::opcode::accept_many:
            io_uring_prep_multishot_accept(&entry, descriptor, nullptr, nullptr, SOCK_CLOEXEC);
            break;
        case io::opcode::connect:
            prepare_connect(entry, asked);
            break;
        case io::opcode::receive:
            io_uring_prep_recv(&entry, descriptor, asked.address, length_of(asked), 0);
            break;
        case io::opcode::receive_pooled:
            if (asked.whole)
                io_uring_prep_recv(&entry, descriptor, nullptr, 0, 0);
            else
                io_uring_prep_recv_multishot(&entry, descriptor, nullptr, 0, 0);
            entry.flags |= IOSQE_BUFFER_SELECT;
            entry.buf_group = uring_buffer_pool::group;
            break;
        case io::opcode::send:
            io_uring_prep_send(&entry, descriptor, asked.address, length_of(asked), send_flags(asked));
            break;
        case io::opcode::send_zero_copy:
            io_uring_prep_send_zc(&entry, descriptor, asked.address, length_of(asked), send_flags(asked), 0);
            break;
        case io::opcode::send_vectored:
            prepare_send_vectored(entry, asked);
            break;
        case io::opcode::shutdown:
            io_uring_prep_shutdown(&entry, descriptor, static_cast<int>(asked.size));
            break;
        case io::opcode::read:
            io_uring_prep_read(&entry, descriptor, asked.address, length_of(asked), own_position);
            break;
        case io::opcode::open_beneath:
        case io::opcode::open:
            prepare_open(entry, asked);
            break;
        case io::opcode::read_at:
            io_uring_prep_read(&entry, descriptor, asked.address, length_of(asked), asked.offset);
            break;
        case io::opcode::write_at:
            io_uring_prep_write(&entry, descriptor, asked.address, length_of(asked), asked.offset);
            break;
        case io::opcode::read_vectored_at:
            io_uring_prep_readv(&entry, descriptor, static_cast<const iovec*>(asked.address),
                                vectors_of(asked), asked.offset);
            break;
        case io::opcode::write_vectored_at:
            io_uring_prep_writev(&entry, descriptor, static_cast<const iovec*>(asked.address),
                                 vectors_of(asked), asked.offset);
            break;
        case io::opcode::send_message:
            prepare_send_message(entry, asked);
            break;
        case io::opcode::receive_message:
            prepare_receive_message(entry, asked);
            break;
        case io::opcode::write:
            prepare_write(entry, asked);
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
            static_cast<io::splice_operation&>(asked).is_ready =
                asked.offset != io::splice_operation::no_place;
            prepare_splice(entry, asked);
            break;
    }
}

bool is_worth_another_try(io::operation& asked, std::int32_t result) noexcept {
    // Somebody who keeps renaming folders can make RESOLVE_BENEATH give up for ever.
    constexpr int attempts_max = 32;
    if (io::is_splice(asked.code)) {
        auto& splice = static_cast<io::splice_operation&>(asked);
        const bool is_next = splice.is_ready ? result == -EAGAIN : result >= 0;
        splice.is_ready ^= is_next;
        return is_next || result == -EINTR;
    }
    // A connection goes on coming about after a signal (connect(2)).
    if (result == -EINTR)
        return asked.code != io::opcode::connect;
    if (result != -EAGAIN || !is_opening(asked))
        return false;
    return request_of(asked).attempts++ < attempts_max;
}

void prepare_again(io_uring_sqe& entry, io::operation& asked) noexcept {
    if (io::is_splice(asked.code))
        return prepare_splice(entry, asked);
    if (!is_opening(asked))
        return prepare(entry, asked);
    io_uring_prep_openat2(&entry, opening_folder(asked), static_cast<const char*>(asked.address),
                          &request_of(asked).how);
}

}  // namespace eddy::backends
