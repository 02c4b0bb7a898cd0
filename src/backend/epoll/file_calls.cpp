#include "backend/epoll/file_calls.hpp"

#include "backend/posix/file_requests.hpp"
#include "backend/posix/native_buffers.hpp"

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

std::int32_t open_directly(const io::operation& op, std::uint64_t resolve) noexcept {
    open_how how = to_open_how(op);
    how.resolve |= resolve;
    const auto* const path = static_cast<const char*>(op.address);
    const auto result = ::syscall(SYS_openat2, opening_directory(op), path, &how, sizeof(how));
    return static_cast<std::int32_t>(result < 0 ? -errno : result);
}

bool is_writing(const io::operation& op) noexcept {
    return op.code == io::opcode::write || op.code == io::opcode::write_at ||
           op.code == io::opcode::write_vectored_at;
}

bool is_vectored(const io::operation& op) noexcept {
    return op.code == io::opcode::read_vectored_at || op.code == io::opcode::write_vectored_at;
}

// Where it begins; -1: at the file's own position.
off_t offset_of(const io::operation& op) noexcept {
    const bool has_own = op.code == io::opcode::read || op.code == io::opcode::write;
    return has_own ? -1 : static_cast<off_t>(op.offset);
}

std::int32_t splice(const io::operation& op) noexcept {
    const int pipe = static_cast<const io::splice_operation&>(op).other;
    const std::uint64_t size = length_of(op);
    auto place = static_cast<off64_t>(op.offset);
    const auto result = op.code == io::opcode::splice_from
                            ? ::splice(op.descriptor, &place, pipe, nullptr, size, SPLICE_F_NONBLOCK)
                            : ::splice(pipe, nullptr, op.descriptor, &place, size, SPLICE_F_NONBLOCK);
    return static_cast<std::int32_t>(result < 0 ? -errno : result);
}

std::int32_t transfer(const io::operation& op, int flags) noexcept {
    if (io::is_splice(op.code))
        return splice(op);
    const iovec single{op.address, length_of(op)};
    const bool has_many = is_vectored(op);
    const iovec* const vectors = has_many ? static_cast<const iovec*>(op.address) : &single;
    const int count = has_many ? static_cast<int>(vectors_of(op)) : 1;
    const off_t offset = offset_of(op);
    const auto result = is_writing(op) ? ::pwritev2(op.descriptor, vectors, count, offset, flags)
                                       : ::preadv2(op.descriptor, vectors, count, offset, flags);
    return static_cast<std::int32_t>(result < 0 ? -errno : result);
}

}  // namespace

// An unaligned transfer cannot be direct, so that it needs no look at the file.
bool is_direct(const io::operation& op) noexcept {
    constexpr std::uint64_t alignment_min = 512;
    const std::uint64_t all = reinterpret_cast<std::uintptr_t>(op.address) | op.size | op.offset;
    if (is_opening(op) || io::is_splice(op.code) || (!is_vectored(op) && all % alignment_min != 0))
        return false;
    const int flags = ::fcntl(op.descriptor, F_GETFL);
    return flags >= 0 && (flags & O_DIRECT) != 0;
}

std::int32_t try_file_call(const io::operation& op) noexcept {
    if (is_opening(op)) {
        const std::int32_t result = open_directly(op, resolve_cached);
        // EINVAL: the kernel does not know the flag. EAGAIN: it needs the device.
        return result == -EAGAIN || result == -EINTR || result == -EINVAL ? not_ready : result;
    }
    // Cannot be kept from waiting for the device.
    if (io::is_splice(op.code))
        return not_ready;
    const std::int32_t result = transfer(op, RWF_NOWAIT);
    // Some kernels return 0 for a page that is not cached; the end is left to the call that is always right.
    const bool is_certain = result > 0 || result == -EBADF || result == -EISDIR || result == -EFAULT;
    return is_certain ? result : not_ready;
}

std::int32_t make_file_call(const io::operation& op) noexcept {
    // A process that keeps renaming directories can make RESOLVE_BENEATH fail for ever.
    constexpr int attempts_max = 32;
    std::int32_t result = 0;
    for (int attempt = 0; attempt < attempts_max; ++attempt) {
        result = is_opening(op) ? open_directly(op, 0) : transfer(op, 0);
        if (result != -EINTR && (result != -EAGAIN || !is_opening(op)))
            break;
    }
    return result;
}

}  // namespace eddy::backends
