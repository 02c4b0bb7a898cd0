#include "backend/posix/posix_descriptors.hpp"

#include "backend/posix/system_call.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace eddy::backends {

int posix_descriptors::open_directory(const char* path) noexcept {
    return how_.after_closing([&] { return checked(::open(path, O_PATH | O_DIRECTORY | O_CLOEXEC)); });
}

int posix_descriptors::open_pipe(int& reading, int& writing) noexcept {
    std::array<int, 2> ends{};
    const int flags = O_CLOEXEC | (how_.flags() != 0 ? O_NONBLOCK : 0);
    const int result = how_.after_closing([&] { return checked(::pipe2(ends.data(), flags)); });
    if (result < 0)
        return result;
    reading = ends[0];
    writing = ends[1];
    return 0;
}

int posix_descriptors::open_signals(std::span<const int> signals) noexcept {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : signals)
        if (signal == SIGKILL || signal == SIGSTOP || sigaddset(&set, signal) != 0)
            return -EINVAL;
    if (const int error = ::pthread_sigmask(SIG_BLOCK, &set, nullptr); error != 0)
        return -error;
    const int flags = SFD_CLOEXEC | (how_.flags() != 0 ? SFD_NONBLOCK : 0);
    return how_.after_closing([&] { return checked(::signalfd(-1, &set, flags)); });
}

void posix_descriptors::make_blocking(int descriptor) noexcept {
    const int flags = ::fcntl(descriptor, F_GETFL);
    if (flags >= 0 && (flags & O_NONBLOCK) != 0)
        ::fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK);
}

}  // namespace eddy::backends
