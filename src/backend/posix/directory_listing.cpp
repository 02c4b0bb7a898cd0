#include "backend/posix/directory_listing.hpp"

#include "backend/posix/system_call.hpp"

#include <climits>

#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace eddy::backends {

namespace {

io::entry_kind to_kind(unsigned char type) noexcept {
    switch (type) {
        case DT_REG:
            return io::entry_kind::regular;
        case DT_DIR:
            return io::entry_kind::directory;
        case DT_LNK:
            return io::entry_kind::symbolic_link;
        case DT_UNKNOWN:
            return io::entry_kind::unknown;
        default:
            return io::entry_kind::other;
    }
}

bool is_own(std::string_view name) noexcept {
    return name == "." || name == "..";
}

// Of a path as short as the system takes.
int open_step_below(int below, const char* path) noexcept {
    open_how how{};
    how.flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS;
    // A process that keeps renaming directories can make RESOLVE_BENEATH fail for ever.
    int attempts = 32;
    int opened = 0;
    do
        opened = uninterrupted([&] { return ::syscall(SYS_openat2, below, path, &how, sizeof(how)); });
    while (opened == -EAGAIN && --attempts > 0);
    return opened;
}

}  // namespace

int open_directory_below(int below, const char* path) noexcept {
    std::string_view rest = path;
    std::array<char, PATH_MAX> step{};
    int opened = -1;
    // No tree is too deep: a path that is too long for the system is gone down in steps.
    while (rest.size() >= step.size()) {
        const auto end = rest.rfind('/', step.size() - 1);
        if (end == std::string_view::npos)
            break;
        step[rest.copy(step.data(), end)] = '\0';
        const int next = open_step_below(opened < 0 ? below : opened, step.data());
        if (opened >= 0)
            ::close(opened);
        if (next < 0)
            return next;
        opened = next;
        rest.remove_prefix(end + 1);
    }
    // What is left ends with the path, so it has a NUL byte behind it.
    const int last = open_step_below(opened < 0 ? below : opened, rest.data());
    if (opened >= 0)
        ::close(opened);
    return last;
}

int directory_listing::open_below(int below, const char* path) noexcept {
    close();
    descriptor_ = open_directory_below(below, path);
    return descriptor_ < 0 ? std::exchange(descriptor_, -1) : 0;
}

int directory_listing::open(const char* path, bool follows) noexcept {
    close();
    const int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (follows ? 0 : O_NOFOLLOW);
    descriptor_ = uninterrupted([&] { return ::open(path, flags); });
    return descriptor_ < 0 ? std::exchange(descriptor_, -1) : 0;
}

void directory_listing::close() noexcept {
    begin_ = end_ = 0;
    if (descriptor_ >= 0)
        ::close(std::exchange(descriptor_, -1));
}

int directory_listing::release() noexcept {
    begin_ = end_ = 0;
    return std::exchange(descriptor_, -1);
}

int directory_listing::fill() noexcept {
    const int got = uninterrupted(
        [&] { return ::syscall(SYS_getdents64, descriptor_, records_.data(), records_.size()); });
    begin_ = 0;
    end_ = got > 0 ? static_cast<std::size_t>(got) : 0;
    return got;
}

int directory_listing::next(entry& out) noexcept {
    while (true) {
        if (begin_ == end_) {
            // A directory that was removed meanwhile has no more entries.
            if (const int got = fill(); got <= 0)
                return got == -ENOENT ? 0 : got;
        }
        // The kernel's linux_dirent64 is the C library's dirent64 (getdents64(2)).
        const auto* const record = reinterpret_cast<const dirent64*>(records_.data() + begin_);
        begin_ += record->d_reclen;
        out = {record->d_ino, to_kind(record->d_type), record->d_name};
        if (!is_own(out.name))
            return 1;
    }
}

}  // namespace eddy::backends
