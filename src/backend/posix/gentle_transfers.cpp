#include "backend/posix/gentle_transfers.hpp"

#include "backend/posix/raw_syscalls.hpp"
#include "backend/posix/system_call.hpp"
#include "backend/posix/write_nosignal.hpp"

#include <climits>

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

namespace eddy::backends {

namespace {

// The system's errors for a descriptor that has no calls that do not wait.
bool is_unable(std::int64_t result) noexcept {
    return result < 0 && (errno == EOPNOTSUPP || errno == EINVAL);
}

}  // namespace

bool is_plain_file(int descriptor) noexcept {
    struct stat status{};
    return ::fstat(descriptor, &status) == 0 && (S_ISREG(status.st_mode) || S_ISBLK(status.st_mode));
}

std::int64_t poll_now(int descriptor, short events) noexcept {
    pollfd polled{descriptor, events, 0};
    const std::int64_t result = uninterrupted_long([&] { return ::poll(&polled, 1, 0); });
    if (result <= 0)
        return result;
    return (polled.revents & POLLNVAL) != 0 ? -EBADF : polled.revents;
}

std::int64_t read_gently(int descriptor, void* into, std::uint64_t size) noexcept {
    const iovec memory{into, size};
    const std::int64_t result = raw::preadv2(descriptor, &memory, 1, -1, RWF_NOWAIT);
    if (!is_unable(result))
        return result;
    if (poll_now(descriptor, POLLIN) != 0)
        return raw::read(descriptor, into, size);
    errno = EAGAIN;
    return -1;
}

std::int64_t write_quietly(int descriptor, const void* bytes, std::uint64_t size) noexcept {
    const iovec memory{const_cast<void*>(bytes), size};
    const std::int64_t result = raw::pwritev2(descriptor, &memory, 1, -1, write_nosignal_flags());
    // Drivers that know no flags raise no signal either.
    return is_unable(result) ? ::write(descriptor, bytes, size) : result;
}

// What can be polled as writable takes PIPE_BUF bytes (pipe(7)).
std::int64_t write_gently(int descriptor, const void* bytes, std::uint64_t& size) noexcept {
    const iovec memory{const_cast<void*>(bytes), size};
    const std::int64_t result =
        raw::pwritev2(descriptor, &memory, 1, -1, write_nosignal_flags() | RWF_NOWAIT);
    if (!is_unable(result))
        return result;
    size = std::min<std::uint64_t>(size, PIPE_BUF);
    if (poll_now(descriptor, POLLOUT) != 0)
        return write_quietly(descriptor, bytes, size);
    errno = EAGAIN;
    return -1;
}

}  // namespace eddy::backends
