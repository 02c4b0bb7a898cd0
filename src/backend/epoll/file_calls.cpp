#include "backend/epoll/file_calls.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

namespace eddy::backends {

namespace {

// Since Linux 5.12; older headers lack it.
constexpr std::uint64_t resolve_cached = 0x20;

std::int32_t open_beneath(const io::operation& asked, std::uint64_t resolve) noexcept {
    open_how how{};
    // Without O_NONBLOCK a named pipe would hold the thread until somebody writes to it.
    how.flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
    if ((asked.size & io::open_folder) != 0)
        how.flags |= O_DIRECTORY;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | resolve;
    const auto* const path = static_cast<const char*>(asked.address);
    const auto result = ::syscall(SYS_openat2, asked.descriptor, path, &how, sizeof(how));
    return static_cast<std::int32_t>(result < 0 ? -errno : result);
}

std::int32_t read_at(const io::operation& asked, int flags) noexcept {
    const iovec into{asked.address, std::min(asked.size, transfer_bytes_max)};
    const auto result = ::preadv2(asked.descriptor, &into, 1, static_cast<off_t>(asked.offset), flags);
    return static_cast<std::int32_t>(result < 0 ? -errno : result);
}

bool is_open(const io::operation& asked) noexcept {
    return asked.code == io::opcode::open_beneath;
}

}  // namespace

std::int32_t try_file_call(const io::operation& asked) noexcept {
    if (is_open(asked)) {
        const std::int32_t result = open_beneath(asked, resolve_cached);
        // EINVAL: the kernel does not know the flag. EAGAIN: it needs the device.
        return result == -EAGAIN || result == -EINTR || result == -EINVAL ? not_ready : result;
    }
    const std::int32_t result = read_at(asked, RWF_NOWAIT);
    // Kernels have given 0 for a page that was not there; an end is left to the call that cannot be wrong.
    const bool is_certain = result > 0 || result == -EBADF || result == -EISDIR || result == -EFAULT;
    return is_certain ? result : not_ready;
}

std::int32_t make_file_call(const io::operation& asked) noexcept {
    // Somebody who keeps renaming folders can make RESOLVE_BENEATH give up for ever.
    constexpr int attempts_max = 32;
    std::int32_t result = 0;
    for (int attempt = 0; attempt < attempts_max; ++attempt) {
        result = is_open(asked) ? open_beneath(asked, 0) : read_at(asked, 0);
        if (result != -EINTR && (result != -EAGAIN || !is_open(asked)))
            break;
    }
    return result;
}

}  // namespace eddy::backends
