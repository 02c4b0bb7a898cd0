#include "backend/posix/file_sending.hpp"

#include "backend/posix/system_call.hpp"
#include "backend/posix/write_nosignal.hpp"

#include <eddy/io/detail/sockets.hpp>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

namespace eddy::backends {

namespace {

// The kernel reads ahead in pieces of 128 KiB and more, and evicts old pages in similar pieces.
constexpr std::uint64_t look_bytes = 256 * 1024;

// The number of a file's cached pages (cachestat(2), since Linux 6.5; older headers lack it).
constexpr long cachestat_call = 451;
struct cached_range {
    std::uint64_t offset;
    std::uint64_t size;
};
struct cached_pages {
    std::uint64_t cached;
    std::uint64_t others[4];
};

// For file systems without reads that do not wait: those in memory, and some that lie on others.
bool are_pages_cached(int file, std::uint64_t offset, std::uint64_t size) noexcept {
    const auto page_bytes = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    const std::uint64_t pages = (offset + size - 1) / page_bytes - offset / page_bytes + 1;
    cached_range range{offset, size};
    cached_pages found{};
    return ::syscall(cachestat_call, file, &range, &found, 0) == 0 && found.cached >= pages;
}

bool is_in_memory(int file, std::uint64_t offset, std::uint64_t size) noexcept {
    std::byte looked_at{};
    const iovec memory{&looked_at, 1};
    for (std::uint64_t at = 0;; at = std::min(at + look_bytes, size - 1)) {
        const auto count = uninterrupted_long(
            [&] { return ::preadv2(file, &memory, 1, static_cast<off_t>(offset + at), RWF_NOWAIT); });
        if (count == -EOPNOTSUPP)
            return are_pages_cached(file, offset, size);
        if (count < 0)
            return false;
        if (count == 0 || at == size - 1)
            return true;  // to the end of the file
    }
}

// Keeps calls on a descriptor from waiting: sendfile(2) has no flag for that. The io_uring backend keeps
// sockets in blocking mode; the kernel looks at the mode only within this thread's calls.
class non_blocking_mode {
public:
    explicit non_blocking_mode(int descriptor) noexcept
        : descriptor_(descriptor), before_(::fcntl(descriptor, F_GETFL)) {
        if (is_changed())
            ::fcntl(descriptor, F_SETFL, before_ | O_NONBLOCK);
    }
    non_blocking_mode(const non_blocking_mode&) = delete;
    non_blocking_mode& operator=(const non_blocking_mode&) = delete;
    ~non_blocking_mode() {
        if (is_changed())
            ::fcntl(descriptor_, F_SETFL, before_);
    }

private:
    [[nodiscard]] bool is_changed() const noexcept { return before_ >= 0 && (before_ & O_NONBLOCK) == 0; }

    int descriptor_;
    int before_;
};

}  // namespace

std::int64_t send_file(int connection, std::string_view first, int file, std::uint64_t offset,
                       std::uint64_t size) noexcept {
    if (!is_in_memory(file, offset, size))
        return io::not_in_memory;
    std::int64_t first_sent = 0;
    if (!first.empty()) {
        constexpr int more_follows = MSG_MORE | MSG_DONTWAIT | MSG_NOSIGNAL;
        first_sent =
            uninterrupted_long([&] { return ::send(connection, first.data(), first.size(), more_follows); });
        if (first_sent != static_cast<std::int64_t>(first.size()))
            return first_sent;
    }
    broken_pipe_silence silence;
    const non_blocking_mode changed(connection);
    const std::int64_t file_sent = silence.note(uninterrupted_long([&] {
                                                    auto place = static_cast<off_t>(offset);
                                                    return ::sendfile(connection, file, &place, size);
                                                }),
                                                size);
    if (file_sent < 0)
        return first_sent != 0 ? first_sent : file_sent;
    return first_sent + file_sent;
}

}  // namespace eddy::backends
