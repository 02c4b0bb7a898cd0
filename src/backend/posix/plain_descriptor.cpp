#include <eddy/io/plain_descriptor.hpp>

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace eddy::io {

plain_descriptor::~plain_descriptor() {
    if (descriptor_ >= 0)
        ::close(descriptor_);
}

plain_descriptor duplicate(int descriptor) noexcept {
    constexpr int first_other_descriptor = 3;
    const int made = ::fcntl(descriptor, F_DUPFD_CLOEXEC, first_other_descriptor);
    return plain_descriptor(made < 0 ? -errno : made);
}

plain_descriptor open_named_pipe(const char* path, bool is_writing) noexcept {
    const int flags = (is_writing ? O_WRONLY : O_RDONLY) | O_NONBLOCK | O_CLOEXEC | O_NOCTTY;
    plain_descriptor opened(::open(path, flags));
    if (opened.get() < 0)
        return plain_descriptor(-errno);
    struct stat status{};
    if (::fstat(opened.get(), &status) != 0)
        return plain_descriptor(-errno);
    return S_ISFIFO(status.st_mode) ? std::move(opened) : plain_descriptor(-EINVAL);
}

int make_named_pipe(const char* path, unsigned mode) noexcept {
    return ::mkfifo(path, mode) == 0 ? 0 : -errno;
}

}  // namespace eddy::io
