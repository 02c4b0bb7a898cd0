#include "backend/posix/native_message.hpp"

#include "backend/posix/native_address.hpp"
#include "backend/posix/native_buffers.hpp"
#include "backend/posix/raw_syscalls.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <netinet/udp.h>
#include <new>
#include <span>
#include <unistd.h>

namespace eddy::backends {

namespace {

constexpr std::size_t control_size = CMSG_SPACE(io::message::descriptors_max * sizeof(int)) +
                                     CMSG_SPACE(sizeof(ucred)) + CMSG_SPACE(sizeof(int));

/// A message in the system's own terms.
struct native_message {
    msghdr header{};
    native_address address{};
    alignas(cmsghdr) std::byte control[control_size];
};
static_assert(sizeof(native_message) <= sizeof(io::message_storage) && alignof(native_message) <= 8);

native_message& make_native(const io::message& msg, io::message_storage& storage) noexcept {
    auto& made = *::new (storage.bytes) native_message;
    made.header.msg_iov = reinterpret_cast<iovec*>(const_cast<const_buffer*>(msg.buffers.data()));
    made.header.msg_iovlen = msg.buffers.size();
    return made;
}

// Appends control data; the header's size counts what is there.
void add_control(native_message& made, int level, int type, const void* data, std::size_t size) noexcept {
    auto& added = *::new (made.control + made.header.msg_controllen) cmsghdr;
    added.cmsg_len = CMSG_LEN(size);
    added.cmsg_level = level;
    added.cmsg_type = type;
    std::memcpy(CMSG_DATA(&added), data, size);
    made.header.msg_control = made.control;
    made.header.msg_controllen += CMSG_SPACE(size);
}

void take_descriptors(io::message& msg, const cmsghdr& control) noexcept {
    const std::size_t count = (control.cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t place = 0; place < count; ++place) {
        int received = -1;
        std::memcpy(&received, CMSG_DATA(&control) + place * sizeof(int), sizeof(int));
        if (msg.descriptors_received < msg.descriptors.size()) {
            msg.descriptors[msg.descriptors_received++] = received;
        } else {
            // The space for control data is rounded up, so that one more than requested may come.
            ::close(received);
            msg.are_descriptors_lost = true;
        }
    }
}

void take_control(io::message& msg, const cmsghdr& control) noexcept {
    if (control.cmsg_level == SOL_SOCKET && control.cmsg_type == SCM_RIGHTS) {
        take_descriptors(msg, control);
    } else if (control.cmsg_level == SOL_SOCKET && control.cmsg_type == SCM_CREDENTIALS) {
        ucred native{};
        std::memcpy(&native, CMSG_DATA(&control), sizeof(native));
        msg.credentials = peer_credentials{native.pid, native.uid, native.gid};
    } else if (control.cmsg_level == SOL_UDP && control.cmsg_type == UDP_GRO) {
        int size = 0;
        std::memcpy(&size, CMSG_DATA(&control), sizeof(size));
        msg.segment_bytes_received = static_cast<std::uint16_t>(size);
    }
}

// Whether nothing goes beside the bytes but the address of a peer in a network.
bool is_plain_datagram(const io::message& msg) noexcept {
    return msg.peer != nullptr && msg.buffers.size() == 1 && msg.descriptors.empty() &&
           !msg.wants_credentials;
}

void forget_outcome(io::message& msg) noexcept {
    msg.descriptors_received = 0;
    msg.credentials.reset();
    msg.segment_bytes_received = 0;
    msg.is_truncated = false;
    msg.are_descriptors_lost = false;
}

std::int64_t receive_plain_datagram(int descriptor, io::message& msg) noexcept {
    const const_buffer& out = msg.buffers.front();
    native_address from{};
    from.size = native_address::size_max;
    // With MSG_TRUNC the size is the datagram's, however much space there was (recv(2)).
    const std::int64_t size = raw::recvfrom(descriptor, const_cast<void*>(out.data()), out.size(),
                                            MSG_DONTWAIT | MSG_TRUNC, &from.any, &from.size);
    forget_outcome(msg);
    if (size < 0)
        return size;
    if (from.is_internet())
        *msg.peer = endpoint_of(from);
    msg.is_truncated = static_cast<std::uint64_t>(size) > out.size();
    msg.transferred = std::min(static_cast<std::size_t>(size), out.size());
    return static_cast<std::int64_t>(msg.transferred);
}

}  // namespace

msghdr& encode_outgoing(const io::message& msg, io::message_storage& storage) noexcept {
    native_message& made = make_native(msg, storage);
    if (msg.peer != nullptr)
        made.address = address_of(*msg.peer);
    else if (msg.local_peer != nullptr)
        made.address = address_of(*msg.local_peer);
    if (msg.peer != nullptr || msg.local_peer != nullptr) {
        made.header.msg_name = &made.address.any;
        made.header.msg_namelen = made.address.size;
    }
    const std::size_t passed = std::min(msg.descriptors.size(), io::message::descriptors_max);
    if (passed != 0)
        add_control(made, SOL_SOCKET, SCM_RIGHTS, msg.descriptors.data(), passed * sizeof(int));
    if (msg.segment_bytes != 0)
        add_control(made, SOL_UDP, UDP_SEGMENT, &msg.segment_bytes, sizeof(msg.segment_bytes));
    return made.header;
}

msghdr& encode_incoming(const io::message& msg, io::message_storage& storage) noexcept {
    native_message& made = make_native(msg, storage);
    if (msg.peer != nullptr || msg.local_peer != nullptr) {
        made.header.msg_name = &made.address.any;
        made.header.msg_namelen = native_address::size_max;
    }
    const std::size_t expected = std::min(msg.descriptors.size(), io::message::descriptors_max);
    std::size_t size = expected != 0 ? CMSG_SPACE(expected * sizeof(int)) : 0;
    size += msg.wants_credentials ? CMSG_SPACE(sizeof(ucred)) : 0;
    size += msg.wants_segments ? CMSG_SPACE(sizeof(int)) : 0;
    if (size != 0)
        made.header.msg_control = made.control;
    made.header.msg_controllen = size;
    return made.header;
}

void take_over(io::message& msg, const msghdr& native, std::int64_t result) noexcept {
    forget_outcome(msg);
    if (result < 0)
        return;
    msg.transferred = static_cast<std::size_t>(result);
    msg.is_truncated = (native.msg_flags & MSG_TRUNC) != 0;
    msg.are_descriptors_lost = (native.msg_flags & MSG_CTRUNC) != 0;
    auto& header = const_cast<msghdr&>(native);
    for (const cmsghdr* at = CMSG_FIRSTHDR(&header); at != nullptr;
         at = CMSG_NXTHDR(&header, const_cast<cmsghdr*>(at)))
        take_control(msg, *at);
    if (native.msg_name == nullptr)
        return;
    // The address is the first member of what is in the storage.
    native_address& from = *reinterpret_cast<native_address*>(native.msg_name);
    from.size = native.msg_namelen;
    if (msg.peer != nullptr && from.is_internet())
        *msg.peer = endpoint_of(from);
    if (msg.local_peer != nullptr)
        *msg.local_peer = local_endpoint_of(from);
}

void take_over(io::message_operation& received, std::int64_t result) noexcept {
    const auto& made = *std::launder(reinterpret_cast<const native_message*>(received.storage.bytes));
    take_over(received.reported, made.header, result);
}

std::int64_t send_at_once(int descriptor, io::message_operation& sending) noexcept {
    const io::message& msg = sending.reported;
    const int flags = flags_of_sending(msg) | MSG_DONTWAIT;
    if (!is_plain_datagram(msg) || msg.segment_bytes != 0)
        return raw::sendmsg(descriptor, &encode_outgoing(msg, sending.storage), flags);
    const const_buffer& bytes = msg.buffers.front();
    const native_address to = address_of(*msg.peer);
    return raw::sendto(descriptor, bytes.data(), bytes.size(), flags, &to.any, to.size);
}

std::int64_t receive_at_once(int descriptor, io::message_operation& receiving) noexcept {
    io::message& msg = receiving.reported;
    if (is_plain_datagram(msg) && !msg.wants_segments)
        return receive_plain_datagram(descriptor, msg);
    msghdr& native = encode_incoming(msg, receiving.storage);
    const std::int64_t result = raw::recvmsg(descriptor, &native, receive_flags | MSG_DONTWAIT);
    take_over(msg, native, result);
    return result;
}

}  // namespace eddy::backends
