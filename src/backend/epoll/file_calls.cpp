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

std::int32_t open(const io::operation& asked, std::uint64_t resolve) noexcept {
    open_how how = to_open_how(asked);
    how.resolve |= resolve;
    const auto* const path = static_cast<const char*>(asked.address);
    const auto result = ::syscall(SYS_openat2, opening_folder(asked), path, &how, sizeof(how));
    return static_cast<std::int32_t>(result < 0 ? -errno : result);
}

bool is_writing(const io::operation& asked) noexcept {
    return asked.code == io::opcode::write || asked.code == io::opcode::write_at ||
           asked.code == io::opcode::write_vectored_at;
}

bool is_vectored(const io::operation& asked) noexcept {
    return asked.code == io::opcode::read_vectored_at || asked.code == io::opcode::write_vectored_at;
}

// Where it begins; -1: at the file's own position.
off_t offset_of(const io::operation& asked) noexcept {
    const bool has_own = asked.code == io::opcode::read || asked.code == io::opcode::write;
    return has_own ? -1 : static_cast<off_t>(asked.offset);
}

std::int32_t splice(const io::operation& asked) noexcept {
    const int pipe = static_cast<const io::splice_operation&>(asked).other;
    const std::uint64_t size = length_of(asked);
    auto place = static_cast<off64_t>(asked.offset);
    const auto result = asked.code == io::opcode::splice_from
                            ? ::splice(asked.descriptor, &place, pipe, nullptr, size, SPLICE_F_NONBLOCK)
                            : ::splice(pipe, nullptr, asked.descriptor, &place, size, SPLICE_F_NONBLOCK);
    return static_cast<std::int32_t>(result < 0 ? -errno : result);
}

std::int32_t transfer(const io::operation& asked, int flags) noexcept {
    if (io::is_splice(asked.code))
        return splice(asked);
    const iovec single{asked.address, length_of(asked)};
    const bool has_many = is_vectored(asked);
    const iovec* const vectors = has_many ? static_cast<const iovec*>(asked.address) : &single;
    const int count = has_many ? static_cast<int>(vectors_of(asked)) : 1;
    const off_t offset = offset_of(asked);
    const auto result = is_writing(asked) ? ::pwritev2(asked.descriptor, vectors, count, offset, flags)
                                          : ::preadv2(asked.descriptor, vectors, count, offset, flags);
    return static_cast<std::int32_t>(result < 0 ? -errno : result);
}

// Whether it goes past the page cache: then RWF_NOWAIT would not keep it from waiting for the device. What is
// not aligned cannot, so that it need not be asked about.
bool is_direct(const io::operation& asked) noexcept {
    constexpr std::uint64_t alignment_min = 512;
    const std::uint64_t all = reinterpret_cast<std::uintptr_t>(asked.address) | asked.size | asked.offset;
    if (!is_vectored(asked) && all % alignment_min != 0)
        return false;
    const int flags = ::fcntl(asked.descriptor, F_GETFL);
    return flags >= 0 && (flags & O_DIRECT) != 0;
}

}  // namespace

std::int32_t try_file_call(const io::operation& asked) noexcept {
    if (is_opening(asked)) {
        const std::int32_t result = open(asked, resolve_cached);
        // EINVAL: the kernel does not know the flag. EAGAIN: it needs the device.
        return result == -EAGAIN || result == -EINTR || result == -EINVAL ? not_ready : result;
    }
    // There is no way to say that it must not wait for the device.
    if (io::is_splice(asked.code) || is_direct(asked))
        return not_ready;
    const std::int32_t result = transfer(asked, RWF_NOWAIT);
    // Kernels have given 0 for a page that was not there; an end is left to the call that cannot be wrong.
    const bool is_certain = result > 0 || result == -EBADF || result == -EISDIR || result == -EFAULT;
    return is_certain ? result : not_ready;
}

std::int32_t make_file_call(const io::operation& asked) noexcept {
    // Somebody who keeps renaming folders can make RESOLVE_BENEATH give up for ever.
    constexpr int attempts_max = 32;
    std::int32_t result = 0;
    for (int attempt = 0; attempt < attempts_max; ++attempt) {
        result = is_opening(asked) ? open(asked, 0) : transfer(asked, 0);
        if (result != -EINTR && (result != -EAGAIN || !is_opening(asked)))
            break;
    }
    return result;
}

}  // namespace eddy::backends
