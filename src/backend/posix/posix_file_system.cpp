#include "backend/posix/posix_file_system.hpp"

#include "backend/posix/file_requests.hpp"
#include "backend/posix/system_call.hpp"
#include "backend/posix/tree_reader.hpp"
#include "backend/posix/tree_remover.hpp"

#include <climits>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace eddy::backends {

namespace {

int write_whole(int descriptor, std::span<const std::byte> bytes) noexcept {
    while (!bytes.empty()) {
        const auto written =
            uninterrupted_long([&] { return ::write(descriptor, bytes.data(), bytes.size()); });
        // A device that takes nothing and says nothing would be asked for ever.
        if (written <= 0)
            return written < 0 ? static_cast<int>(written) : -EIO;
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return 0;
}

std::int64_t nanoseconds(const timespec& time) noexcept {
    return time.tv_sec * 1'000'000'000 + time.tv_nsec;
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
    int create_folder(const char* path, std::uint32_t permissions) noexcept override {
        return uninterrupted([&] { return ::mkdir(path, permissions); });
    }
    int remove_folder(const char* path) noexcept override {
        return uninterrupted([&] { return ::rmdir(path); });
    }
    int sync_folder(const char* path) noexcept override;

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
        return uninterrupted([&] { return ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0); });
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
    std::unique_ptr<io::folder_reader> read_folder(std::string path, bool follows_link,
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
    std::uint64_t random() noexcept override {
        std::uint64_t bits = 0;
        static_cast<void>(uninterrupted_long([&] { return ::getrandom(&bits, sizeof(bits), 0); }));
        return bits;
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

int posix_file_system::sync_folder(const char* path) noexcept {
    const int opened = uninterrupted([&] { return ::open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
    if (opened < 0)
        return opened;
    const int result = sync(opened, false);
    ::close(opened);
    // A file system that carries no names to a device says so.
    return result == -EINVAL ? 0 : result;
}

int posix_file_system::open(const char* path, std::uint64_t flags, std::uint32_t permissions) noexcept {
    io::operation asked(io::opcode::open, nullptr);
    asked.size = flags;
    asked.offset = permissions;
    open_how how = to_open_how(asked);
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
    // Files of /proc tell no size, so that the system takes them for empty and gives 0.
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
    out.is_folder = (native.mask & IN_ISDIR) != 0;
    out.watch = native.wd;
    out.cookie = native.cookie;
    rest = rest.subspan(sizeof(native) + native.len);
    return true;
}

io::file_status::file_kind kind_of(mode_t mode) noexcept {
    using enum io::file_status::file_kind;
    if (S_ISREG(mode))
        return regular;
    if (S_ISDIR(mode))
        return folder;
    return S_ISLNK(mode) ? symbolic_link : other;
}

}  // namespace

io::file_status to_file_status(const struct stat& native) noexcept {
    io::file_status told;
    told.kind = kind_of(native.st_mode);
    told.size = static_cast<std::uint64_t>(native.st_size);
    told.modified_ns = nanoseconds(native.st_mtim);
    told.device = native.st_dev;
    told.inode = native.st_ino;
    told.permissions = native.st_mode & 07777;
    told.links = static_cast<std::uint32_t>(native.st_nlink);
    told.user = native.st_uid;
    told.group = native.st_gid;
    told.allocated_bytes = static_cast<std::uint64_t>(native.st_blocks) * 512;
    told.accessed_ns = nanoseconds(native.st_atim);
    told.changed_ns = nanoseconds(native.st_ctim);
    return told;
}

io::file_system& posix_files() noexcept {
    static posix_file_system only;
    return only;
}

}  // namespace eddy::backends
