#pragma once

#include "peers/common/listen_socket.hpp"

#include <cerrno>
#include <cstddef>
#include <string>
#include <string_view>
#include <sys/epoll.h>
#include <unistd.h>
#include <utility>

namespace bench {

struct epoll_connection {
    int fd;
    std::string unparsed;  // input that makes no whole request yet
    std::string unsent;    // output that the socket did not take
};

// Sends what the socket takes and keeps the rest. False when the connection is lost.
inline bool send_or_keep(epoll_connection& c, std::string_view bytes) {
    if (!c.unsent.empty()) {
        c.unsent += bytes;
        return true;
    }
    const ssize_t count = send(c.fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count == static_cast<ssize_t>(bytes.size()))
        return true;
    if (count < 0 && errno != EAGAIN)
        return false;
    c.unsent = bytes.substr(count < 0 ? 0 : static_cast<std::size_t>(count));
    return true;
}

inline bool send_kept(epoll_connection& c) {
    const std::string kept = std::exchange(c.unsent, {});
    return send_or_keep(c, kept);
}

// Edge-triggered: a connection is read until a read comes back short, which says that the socket is empty
// without asking it again. EPOLLOUT is watched from the start; it costs nothing until a send falls short.
template <class OnBytes>
class epoll_loop {
public:
    epoll_loop(int listener, OnBytes on_bytes) : listener_(listener), on_bytes_(on_bytes) {
        watch(listener_, EPOLLIN, nullptr);
    }

    [[noreturn]] void run() {
        epoll_event events[256];
        for (;;) {
            const int count = epoll_wait(epoll_, events, 256, -1);
            for (int i = 0; i < count; ++i) {
                if (events[i].data.ptr)
                    advance(static_cast<epoll_connection*>(events[i].data.ptr));
                else
                    accept_all();
            }
        }
    }

private:
    void watch(int fd, std::uint32_t events, void* pointer) {
        epoll_event event{.events = events, .data = {.ptr = pointer}};
        if (epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event) != 0)
            give_up("epoll_ctl");
    }

    void accept_all() {
        for (int fd; (fd = accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0;)
            watch(fd, EPOLLIN | EPOLLOUT | EPOLLET, new epoll_connection{fd, {}, {}});
    }

    void advance(epoll_connection* c) {
        if (!keep_going(*c)) {
            close(c->fd);
            delete c;
        }
    }

    bool keep_going(epoll_connection& c) {
        if (!c.unsent.empty() && !send_kept(c))
            return false;
        for (;;) {
            const ssize_t count = recv(c.fd, buffer_, sizeof buffer_, 0);
            if (count <= 0)
                return count < 0 && errno == EAGAIN;
            if (!on_bytes_(c, std::string_view(buffer_, static_cast<std::size_t>(count))))
                return false;
            if (count < static_cast<ssize_t>(sizeof buffer_))
                return true;
        }
    }

    int epoll_ = epoll_create1(EPOLL_CLOEXEC);
    int listener_;
    OnBytes on_bytes_;
    char buffer_[65536];
};

}  // namespace bench
