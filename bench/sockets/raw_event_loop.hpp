#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <sys/epoll.h>
#include <unistd.h>

namespace bench::raw_epoll {

class event_loop {
public:
    void watch(int descriptor, std::size_t number) {
        epoll_event event{};
        event.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
        event.data.u64 = number;
        epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event);
    }
    // Waits until there is something, or only looks.
    std::span<const epoll_event> wait(bool may_wait = true) {
        const int count =
            epoll_wait(epoll_, events_.data(), static_cast<int>(events_.size()), may_wait ? -1 : 0);
        return {events_.data(), static_cast<std::size_t>(count < 0 ? 0 : count)};
    }
    ~event_loop() { close(epoll_); }

private:
    int epoll_ = epoll_create1(EPOLL_CLOEXEC);
    std::array<epoll_event, 64> events_;
};

}  // namespace bench::raw_epoll
