#include "backend/posix/bound_sockets.hpp"

#include "backend/posix/system_call.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace eddy::backends {

namespace {

// As the kernel itself has a device's number.
std::uint32_t kernel_device(std::uint64_t device) noexcept {
    constexpr unsigned minor_bits = 20;
    return (gnu_dev_major(device) << minor_bits) | gnu_dev_minor(device);
}

int ask_for_all(int descriptor) noexcept {
    struct {
        nlmsghdr head;
        unix_diag_req body;
    } request{};
    request.head.nlmsg_len = sizeof(request);
    request.head.nlmsg_type = SOCK_DIAG_BY_FAMILY;
    request.head.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
    request.body.sdiag_family = AF_UNIX;
    request.body.udiag_states = std::numeric_limits<std::uint32_t>::max();
    request.body.udiag_show = UDIAG_SHOW_NAME | UDIAG_SHOW_VFS;
    return uninterrupted([&] { return ::send(descriptor, &request, sizeof(request), 0); });
}

// By its name, since some file systems report another device than the kernel has.
bool is_bound_to(const nlmsghdr& reported, const eddy::local_endpoint& at, const io::file_identity& which) {
    const auto* socket = static_cast<const unix_diag_msg*>(NLMSG_DATA(&reported));
    auto left = static_cast<int>(reported.nlmsg_len - NLMSG_LENGTH(sizeof(unix_diag_msg)));
    const auto* each = reinterpret_cast<const rtattr*>(reinterpret_cast<const std::byte*>(socket) +
                                                       NLMSG_ALIGN(sizeof(unix_diag_msg)));
    for (; RTA_OK(each, left); each = RTA_NEXT(each, left)) {
        const void* const value = RTA_DATA(each);
        const std::size_t size = RTA_PAYLOAD(each);
        const std::size_t length = std::strlen(at.c_str());
        if (each->rta_type == UNIX_DIAG_NAME && size >= length &&
            std::memcmp(value, at.c_str(), length) == 0 &&
            (size == length || static_cast<const char*>(value)[length] == 0))
            return true;
        unix_diag_vfs file{};
        if (each->rta_type == UNIX_DIAG_VFS && size >= sizeof(file)) {
            std::memcpy(&file, value, sizeof(file));
            if (file.udiag_vfs_ino == static_cast<std::uint32_t>(which.inode) &&
                file.udiag_vfs_dev == kernel_device(which.device))
                return true;
        }
    }
    return false;
}

int find_bound(int descriptor, const eddy::local_endpoint& at, const io::file_identity& which) noexcept {
    if (const int result = ask_for_all(descriptor); result < 0)
        return result;
    alignas(nlmsghdr) std::array<std::byte, 32'768> room;
    for (;;) {
        const int received = uninterrupted([&] { return ::recv(descriptor, room.data(), room.size(), 0); });
        if (received <= 0)
            return received < 0 ? received : -EIO;
        auto left = static_cast<std::uint32_t>(received);
        const auto* reported = reinterpret_cast<const nlmsghdr*>(room.data());
        for (; NLMSG_OK(reported, left); reported = NLMSG_NEXT(reported, left)) {
            if (reported->nlmsg_type == NLMSG_DONE)
                return 0;
            if (reported->nlmsg_type == NLMSG_ERROR)
                return static_cast<const nlmsgerr*>(NLMSG_DATA(reported))->error;
            if (is_bound_to(*reported, at, which))
                return 1;
        }
    }
}

}  // namespace

int find_bound_socket(const eddy::local_endpoint& at, const io::file_identity& which) noexcept {
    const int descriptor = checked(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG));
    if (descriptor < 0)
        return descriptor;
    const int result = find_bound(descriptor, at, which);
    ::close(descriptor);
    return result;
}

}  // namespace eddy::backends
