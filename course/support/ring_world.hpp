#pragma once

#include "ring.hpp"
#include "support/turns.hpp"
#include "waiter.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <dirent.h>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace lab_test {

/// A ring that counts what the loop does with it.
class watched_ring : public lab::waiter {
public:
    explicit watched_ring(unsigned entries = 256) : ring(entries) {}
    lab::time_point now() override { return ring.now(); }
    void wait(std::optional<lab::time_point> until) override {
        ++waits;
        const unsigned gathered = io_uring_sq_ready(ring.native());
        gathered_max = gathered > gathered_max ? gathered : gathered_max;
        is_waiting = true;
        ring.wait(until);
        is_waiting = false;
        left_behind += io_uring_sq_ready(ring.native());
    }

    lab::ring ring;
    int waits = 0;
    unsigned gathered_max = 0;  // entries that were there when the loop went to wait
    unsigned left_behind = 0;   // entries that were not submitted by a wait
    bool is_waiting = false;
};

/// An operation that notes what it is reported.
struct probe final : lab::operation {
    void completed(int result, unsigned flags) noexcept override {
        ++times;
        last_result = result;
        last_flags = flags;
    }
    int times = 0;
    int last_result = 0;
    unsigned last_flags = 0;
};

/// Two ends of a connection within this process.
struct socket_pair {
    explicit socket_pair(int kind = SOCK_STREAM) {
        if (::socketpair(AF_UNIX, kind | SOCK_CLOEXEC, 0, ends.data()) < 0)
            throw std::system_error(errno, std::system_category(), "socketpair");
    }
    ~socket_pair() {
        for (const int end : ends)
            if (end >= 0)
                ::close(end);
    }
    /// Hands over an end.
    int release(std::size_t end) { return std::exchange(ends[end], -1); }

    std::array<int, 2> ends{-1, -1};
};

inline std::span<const std::byte> bytes_of(std::string_view text) {
    return std::as_bytes(std::span(text));
}
inline std::string text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// What a peer reads within two seconds: "" at the end, "(nothing)" if there is nothing.
inline std::string read_within(int descriptor, std::size_t size_max = 65536) {
    const timeval limit{1, 500'000};
    ::setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
    std::string text(size_max, '\0');
    const auto size = ::recv(descriptor, text.data(), text.size(), 0);
    if (size < 0)
        return errno == EAGAIN ? "(nothing)" : "(error " + std::to_string(errno) + ")";
    text.resize(static_cast<std::size_t>(size));
    return text;
}

/// How many descriptors this process has open, without those below /proc: the watchdog looks there meanwhile.
inline int open_descriptors() {
    int count = 0;
    DIR* const listed = ::opendir("/proc/self/fd");
    while (const dirent* const entry = ::readdir(listed)) {
        char target[64] = {};
        const auto size = ::readlinkat(::dirfd(listed), entry->d_name, target, sizeof(target));
        count += size > 0 && !std::string_view(target, static_cast<std::size_t>(size)).starts_with("/proc/")
                     ? 1
                     : 0;
    }
    ::closedir(listed);
    return count;
}

}  // namespace lab_test
