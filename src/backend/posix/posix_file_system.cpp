#include "backend/posix/posix_file_system.hpp"

#include "backend/posix/file_requests.hpp"
#include "backend/posix/system_call.hpp"
#include "backend/posix/tree_reader.hpp"
#include "backend/posix/tree_remover.hpp"

#include <eddy/io/plain_descriptor.hpp>

#include <climits>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <linux/fs.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace eddy::backends {

namespace {

int write_whole(int descriptor, std::span<const std::byte> bytes) noexcept {
    while (!bytes.empty()) {
        const auto written =
            uninterrupted_long([&] { return ::write(descriptor, bytes.data(), bytes.size()); });
        // A device that takes nothing without an error would be written to for ever.
        if (written <= 0)
            return written < 0 ? static_cast<int>(written) : -EIO;
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return 0;
}

// Of a time before 1677 or after 2262 the nearest that there is.
std::int64_t nanoseconds(const timespec& time) noexcept {
    using limits = std::numeric_limits<std::int64_t>;
    constexpr std::int64_t second_ns = 1'000'000'000;
    if (time.tv_sec >= limits::max() / second_ns)
        return limits::max();
    if (time.tv_sec <= limits::min() / second_ns)
        return limits::min();
    return time.tv_sec * second_ns + time.tv_nsec;
}

class posix_file_system final : public io::file_system {
public:
    int status(const char* path, bool follows_link, io::file_status& out) noexcept override {
        struct stat found{};
        const int flags = follows_link ? 0 : AT_SYMLINK_NOFOLLOW;
        const int result = uninterrupted([&] { return ::fstatat(AT_FDCWD, path, &found, flags); });
        if (result == 0)
            out = to_file_status(found);
        return result;
    }
    int rename(const char* from, const char* to, bool keeps_existing) noexcept override {
        const unsigned flags = keeps_existing ? RENAME_NOREPLACE : 0;
        return uninterrupted([&] { return ::renameat2(AT_FDCWD, from, AT_FDCWD, to, flags); });
    }
    int link(const char* existing, const char* added) noexcept override {
        return uninterrupted([&] { return ::link(existing, added); });
    }
    int symlink(const char* target, const char* added) noexcept override {
        return uninterrupted([&] { return ::symlink(target, added); });
    }
    int read_link(const char* path, std::string& out) override;
    int remove(const char* path) noexcept override {
        return uninterrupted([&] { return ::unlink(path); });
    }
    int create_directory(const char* path, std::uint32_t permissions) noexcept override {
        return uninterrupted([&] { return ::mkdir(path, permissions); });
    }
    int remove_directory(const char* path) noexcept override {
        return uninterrupted([&] { return ::rmdir(path); });
    }
    int sync_directory(const char* path) noexcept override;

    int open(const char* path, std::uint64_t flags, std::uint32_t permissions) noexcept override;
    // A second call after an interrupted one would close what is not ours (close(2)).
    void close(int descriptor) noexcept override { ::close(descriptor); }
    int status_of(int descriptor, io::file_status& out) noexcept override {
        struct stat found{};
        const int result = uninterrupted([&] { return ::fstat(descriptor, &found); });
        if (result == 0)
            out = to_file_status(found);
        return result;
    }
    int duplicate(int descriptor) noexcept override {
        return uninterrupted([&] { return ::fcntl(descriptor, F_DUPFD_CLOEXEC, first_other_descriptor); });
    }
    int open_named_pipe(const char* path, bool is_writing) noexcept override {
        const int flags = (is_writing ? O_WRONLY : O_RDONLY) | O_NONBLOCK | O_CLOEXEC | O_NOCTTY;
        io::plain_descriptor opened(checked(::open(path, flags)));
        struct stat status{};
        if (opened.get() >= 0 && ::fstat(opened.get(), &status) != 0)
            return -errno;
        return opened.get() < 0 || S_ISFIFO(status.st_mode) ? opened.release() : -EINVAL;
    }
    int make_named_pipe(const char* path, std::uint32_t mode) noexcept override {
        return checked(::mkfifo(path, mode));
    }
    int write_all(int descriptor, std::span<const std::byte> bytes) noexcept override {
        return write_whole(descriptor, bytes);
    }
    int set_permissions(int descriptor, std::uint32_t permissions) noexcept override {
        return uninterrupted([&] { return ::fchmod(descriptor, permissions); });
    }
    int truncate(int descriptor, std::uint64_t size) noexcept override {
        return uninterrupted([&] { return ::ftruncate(descriptor, static_cast<off_t>(size)); });
    }
    int allocate(int descriptor, std::uint64_t offset, std::uint64_t size) noexcept override {
        return uninterrupted(
            [&] { return ::fallocate(descriptor, 0, static_cast<off_t>(offset), static_cast<off_t>(size)); });
    }
    int sync(int descriptor, bool only_data) noexcept override {
        return uninterrupted([&] { return only_data ? ::fdatasync(descriptor) : ::fsync(descriptor); });
    }
    int lock(int descriptor, io::file_lock_kind kind) noexcept override;
    int clone(int from, int to) noexcept override {
        return uninterrupted([&] { return ::ioctl(to, FICLONE, from); });
    }
    std::int64_t copy_some(int from, int to, std::uint64_t bytes_max) noexcept override;
    std::unique_ptr<io::directory_reader> read_directory(std::string path, bool follows_link,
                                                         std::uint32_t depth_max) override {
        return make_tree_reader(std::move(path), follows_link, depth_max);
    }
    std::unique_ptr<io::tree_removal> remove_tree(std::string path) override {
        return make_tree_remover(std::move(path));
    }
    int open_watch() noexcept override {
        return uninterrupted([] { return ::inotify_init1(IN_CLOEXEC); });
    }
    int add_watch(int descriptor, const char* path, bool follows_link) noexcept override {
        constexpr std::uint32_t wanted = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MODIFY |
                                         IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF | IN_ONLYDIR |
                                         IN_EXCL_UNLINK;
        const std::uint32_t mask = follows_link ? wanted : wanted | IN_DONT_FOLLOW;
        return uninterrupted([&] { return ::inotify_add_watch(descriptor, path, mask); });
    }
    void remove_watch(int descriptor, int watch) noexcept override { ::inotify_rm_watch(descriptor, watch); }
    bool take_event(std::span<const std::byte>& rest, io::watch_event& out) noexcept override;
    int unread_bytes(int descriptor) noexcept override {
        int count = 0;
        const int result = uninterrupted([&] { return ::ioctl(descriptor, FIONREAD, &count); });
        return result < 0 ? result : count;
    }
};

int posix_file_system::read_link(const char* path, std::string& out) {
    std::array<char, PATH_MAX> target{};
    const std::int64_t length =
        uninterrupted_long([&] { return ::readlink(path, target.data(), target.size()); });
    if (length < 0)
        return static_cast<int>(length);
    out.assign(target.data(), static_cast<std::size_t>(length));
    return 0;
}

int posix_file_system::sync_directory(const char* path) noexcept {
    const int opened = uninterrupted([&] { return ::open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
    if (opened < 0)
        return opened;
    const int result = sync(opened, false);
    ::close(opened);
    // A file system that cannot synchronise names returns EINVAL.
    return result == -EINVAL ? 0 : result;
}

int posix_file_system::open(const char* path, std::uint64_t flags, std::uint32_t permissions) noexcept {
    io::operation op(io::opcode::open, nullptr);
    op.size = flags;
    op.offset = permissions;
    open_how how = to_open_how(op);
    return uninterrupted([&] { return ::syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof(how)); });
}

int posix_file_system::lock(int descriptor, io::file_lock_kind kind) noexcept {
    using enum io::file_lock_kind;
    const int wanted = kind == none ? LOCK_UN : kind == shared ? LOCK_SH : LOCK_EX;
    return uninterrupted([&] { return ::flock(descriptor, wanted | LOCK_NB); });
}

// Through memory, where the system does not copy by itself.
std::int64_t copy_through_memory(int from, int to, std::uint64_t bytes_max) noexcept {
    std::array<std::byte, 64 * 1024> memory;
    const std::size_t wanted = std::min<std::uint64_t>(memory.size(), bytes_max);
    const std::int64_t got = uninterrupted_long([&] { return ::read(from, memory.data(), wanted); });
    if (got > 0)
        if (const int result = write_whole(to, std::span(memory).first(static_cast<std::size_t>(got)));
            result < 0)
            return result;
    return got;
}

std::int64_t posix_file_system::copy_some(int from, int to, std::uint64_t bytes_max) noexcept {
    const auto copied =
        uninterrupted_long([&] { return ::copy_file_range(from, nullptr, to, nullptr, bytes_max, 0); });
    // Files of /proc report no size, so that the system takes them for empty and returns 0.
    const bool is_refused = copied == 0 || copied == -EXDEV || copied == -EINVAL || copied == -EOPNOTSUPP ||
                            copied == -ENOSYS || copied == -EBADF;
    return is_refused ? copy_through_memory(from, to, bytes_max) : copied;
}

io::watch_event::event_kind event_kind_of(std::uint32_t mask) noexcept {
    using enum io::watch_event::event_kind;
    struct pair {
        std::uint32_t native;
        io::watch_event::event_kind kind;
    };
    constexpr pair pairs[] = {
        {IN_Q_OVERFLOW, overflow}, {IN_IGNORED, gone},          {IN_CREATE, created},
        {IN_DELETE, removed},      {IN_MOVED_FROM, moved_from}, {IN_MOVED_TO, moved_to},
        {IN_MODIFY, modified},     {IN_CLOSE_WRITE, closed},    {IN_ATTRIB, attributes}};
    for (const auto& [native, kind] : pairs)
        if ((mask & native) != 0)
            return kind;
    return other;
}

bool posix_file_system::take_event(std::span<const std::byte>& rest, io::watch_event& out) noexcept {
    inotify_event native{};
    if (rest.size() < sizeof(native))
        return false;
    std::memcpy(&native, rest.data(), sizeof(native));
    const auto* const name = reinterpret_cast<const char*>(rest.data() + sizeof(native));
    // Padded with NUL bytes.
    out.name = std::string_view(name, ::strnlen(name, native.len));
    out.kind = event_kind_of(native.mask);
    out.is_directory = (native.mask & IN_ISDIR) != 0;
    out.watch = native.wd;
    out.cookie = native.cookie;
    rest = rest.subspan(sizeof(native) + native.len);
    return true;
}

io::file_status::file_kind kind_of(mode_t mode) noexcept {
    using enum io::file_status::file_kind;
    if (S_ISREG(mode))
        return regular;
    if (S_ISFIFO(mode))
        return pipe;
    if (S_ISDIR(mode))
        return directory;
    return S_ISLNK(mode) ? symbolic_link : other;
}

}  // namespace

io::file_status to_file_status(const struct stat& native) noexcept {
    io::file_status status;
    status.kind = kind_of(native.st_mode);
    status.size = static_cast<std::uint64_t>(native.st_size);
    status.modified_ns = nanoseconds(native.st_mtim);
    status.device = native.st_dev;
    status.inode = native.st_ino;
    status.permissions = native.st_mode & 07777;
    status.links = static_cast<std::uint32_t>(native.st_nlink);
    status.user = native.st_uid;
    status.group = native.st_gid;
    status.allocated_bytes = static_cast<std::uint64_t>(native.st_blocks) * 512;
    status.accessed_ns = nanoseconds(native.st_atim);
    status.changed_ns = nanoseconds(native.st_ctim);
    return status;
}

io::file_system& posix_files() noexcept {
    static posix_file_system only;
    return only;
}

}  // namespace eddy::backends
