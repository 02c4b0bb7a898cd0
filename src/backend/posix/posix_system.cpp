#include "backend/posix/posix_system.hpp"

#include "backend/posix/posix_file_system.hpp"
#include "backend/posix/system_call.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace eddy::backends {

native_endpoint to_native(const endpoint& from) noexcept {
    native_endpoint to{};
    if (from.address_family() == endpoint::family::ipv4) {
        to.v4 = {};
        to.v4.sin_family = AF_INET;
        to.v4.sin_port = htons(from.port());
        std::memcpy(&to.v4.sin_addr, from.address().data(), 4);
        to.size = sizeof(to.v4);
    } else {
        to.v6 = {};
        to.v6.sin6_family = AF_INET6;
        to.v6.sin6_port = htons(from.port());
        to.v6.sin6_scope_id = from.scope();
        std::memcpy(&to.v6.sin6_addr, from.address().data(), 16);
        to.size = sizeof(to.v6);
    }
    return to;
}

endpoint from_native(const native_endpoint& from) noexcept {
    if (from.any.sa_family == AF_INET) {
        std::array<std::uint8_t, 4> address{};
        std::memcpy(address.data(), &from.v4.sin_addr, address.size());
        return endpoint::ipv4(address, ntohs(from.v4.sin_port));
    }
    std::array<std::uint8_t, 16> address{};
    std::memcpy(address.data(), &from.v6.sin6_addr, address.size());
    return endpoint::ipv6(address, ntohs(from.v6.sin6_port), from.v6.sin6_scope_id);
}

int posix_system::open_socket(endpoint::family family) noexcept {
    const int domain = family == endpoint::family::ipv4 ? AF_INET : AF_INET6;
    return checked(::socket(domain, SOCK_STREAM | SOCK_CLOEXEC | descriptor_flags(), 0));
}

int posix_system::bind(int descriptor, const endpoint& to) noexcept {
    const native_endpoint address = to_native(to);
    return checked(::bind(descriptor, &address.any, address.size));
}

int posix_system::listen(int descriptor, int backlog) noexcept {
    // The system cuts a backlog that is too large down to its own maximum (listen(2)).
    return checked(::listen(descriptor, backlog > 0 ? backlog : std::numeric_limits<int>::max()));
}

int posix_system::local_endpoint(int descriptor, endpoint& out) noexcept {
    native_endpoint address{};
    address.size = sizeof(address.v6);
    const int result = checked(::getsockname(descriptor, &address.any, &address.size));
    if (result == 0)
        out = from_native(address);
    return result;
}

int posix_system::remote_endpoint(int descriptor, endpoint& out) noexcept {
    native_endpoint address{};
    address.size = sizeof(address.v6);
    const int result = checked(::getpeername(descriptor, &address.any, &address.size));
    if (result == 0)
        out = from_native(address);
    return result;
}

int posix_system::open_folder(const char* path) noexcept {
    return checked(::open(path, O_PATH | O_DIRECTORY | O_CLOEXEC));
}

int posix_system::status_of(int descriptor, io::file_status& out) noexcept {
    return posix_files().status_of(descriptor, out);
}

int posix_system::open_signals(std::span<const int> signals) noexcept {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : signals)
        if (signal == SIGKILL || signal == SIGSTOP || sigaddset(&set, signal) != 0)
            return -EINVAL;
    if (const int error = ::pthread_sigmask(SIG_BLOCK, &set, nullptr); error != 0)
        return -error;
    return checked(::signalfd(-1, &set, SFD_CLOEXEC | (descriptor_flags() != 0 ? SFD_NONBLOCK : 0)));
}

// -- files --

void posix_system::make_blocking(int descriptor) noexcept {
    const int flags = ::fcntl(descriptor, F_GETFL);
    if (flags >= 0 && (flags & O_NONBLOCK) != 0)
        ::fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK);
}

io::file_system& posix_system::files() noexcept {
    return posix_files();
}

int posix_system::open_pipe(int& reading, int& writing) noexcept {
    std::array<int, 2> ends{};
    const int result = checked(::pipe2(ends.data(), O_CLOEXEC | (descriptor_flags() != 0 ? O_NONBLOCK : 0)));
    if (result < 0)
        return result;
    reading = ends[0];
    writing = ends[1];
    return 0;
}

}  // namespace eddy::backends
