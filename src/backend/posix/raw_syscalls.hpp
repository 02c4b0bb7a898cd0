#pragma once

#include <eddy/detail/build.hpp>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <ctime>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <type_traits>
#include <unistd.h>

/// Transfers and waits as the functions of these names, but no cancellation points of pthread_cancel(): those
/// cost two atomic operations a call, once a program has several threads. Under sanitizers, which look into
/// the library's functions, they are these.
namespace eddy::backends::raw {

#if EDDY_SANITIZED

using ::epoll_pwait;
using ::epoll_pwait2;
using ::preadv2;
using ::pwritev2;
using ::read;
using ::recv;
using ::recvfrom;
using ::recvmsg;
using ::send;
using ::sendmsg;
using ::sendto;

#else

template <class Argument>
long as_long(Argument given) noexcept {
    if constexpr (std::is_pointer_v<Argument>)
        return reinterpret_cast<long>(given);
    else
        return static_cast<long>(given);
}

// As syscall(2). That is one call more, from which the processor returns slowly: coming back from the system it does not
// know any more where to.
template <class... Arguments>
long call(long number, Arguments... arguments) noexcept {
#if defined(__x86_64__) && defined(__LP64__)
    const long given[6] = {as_long(arguments)...};
    register long fourth asm("r10") = given[3];
    register long fifth asm("r8") = given[4];
    register long sixth asm("r9") = given[5];
    long result = number;
    asm volatile("syscall"
                 : "+a"(result)
                 : "D"(given[0]), "S"(given[1]), "d"(given[2]), "r"(fourth), "r"(fifth), "r"(sixth)
                 : "rcx", "r11", "memory");
    if (result >= 0) [[likely]]
        return result;
    errno = static_cast<int>(-result);
    return -1;
#else
    return ::syscall(number, arguments...);
#endif
}

inline ssize_t sendto(int descriptor, const void* bytes, std::size_t size, int flags, const sockaddr* to,
                      socklen_t to_size) noexcept {
    return call(SYS_sendto, descriptor, bytes, size, flags, to, to_size);
}

inline ssize_t send(int descriptor, const void* bytes, std::size_t size, int flags) noexcept {
    return sendto(descriptor, bytes, size, flags, nullptr, 0);
}

inline ssize_t sendmsg(int descriptor, const msghdr* message, int flags) noexcept {
    return call(SYS_sendmsg, descriptor, message, flags);
}

inline ssize_t recvfrom(int descriptor, void* into, std::size_t size, int flags, sockaddr* from,
                        socklen_t* from_size) noexcept {
    return call(SYS_recvfrom, descriptor, into, size, flags, from, from_size);
}

inline ssize_t recv(int descriptor, void* into, std::size_t size, int flags) noexcept {
    return recvfrom(descriptor, into, size, flags, nullptr, nullptr);
}

inline ssize_t recvmsg(int descriptor, msghdr* message, int flags) noexcept {
    return call(SYS_recvmsg, descriptor, message, flags);
}

inline ssize_t read(int descriptor, void* into, std::size_t size) noexcept {
    return call(SYS_read, descriptor, into, size);
}

// The system takes an offset as two longs, of which the first holds it all where a long is as long.
static_assert(sizeof(long) == sizeof(off_t));

inline ssize_t preadv2(int descriptor, const iovec* into, int count, off_t offset, int flags) noexcept {
    return call(SYS_preadv2, descriptor, into, count, offset, 0L, flags);
}

inline ssize_t pwritev2(int descriptor, const iovec* from, int count, off_t offset, int flags) noexcept {
    return call(SYS_pwritev2, descriptor, from, count, offset, 0L, flags);
}

// The system takes a set of signals with its size.
constexpr std::size_t signals_size = _NSIG / 8;

inline int epoll_pwait(int epoll, epoll_event* out, int count, int timeout_ms,
                       const sigset_t* blocked) noexcept {
    return static_cast<int>(call(SYS_epoll_pwait, epoll, out, count, timeout_ms, blocked, signals_size));
}

inline int epoll_pwait2(int epoll, epoll_event* out, int count, const timespec* timeout,
                        const sigset_t* blocked) noexcept {
    return static_cast<int>(call(SYS_epoll_pwait2, epoll, out, count, timeout, blocked, signals_size));
}

#endif

}  // namespace eddy::backends::raw
