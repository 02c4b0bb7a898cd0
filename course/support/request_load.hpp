#pragma once

#include "support/server_process.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <sys/epoll.h>
#include <vector>

namespace course {

/// Clients in this process: each sends `request`, reads `response_size` bytes, and begins again.
class request_load {
public:
    request_load(std::uint16_t port, std::size_t clients, std::string request, std::size_t response_size)
        : request_(std::move(request)),
          response_size_(response_size),
          epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
        for (std::size_t made = 0; made < clients; ++made) {
            const int descriptor = connect_to(port);
            if (descriptor < 0)
                fail("a connection was refused");
            clients_.push_back({descriptor, 0});
        }
        for (client& each : clients_) {
            epoll_event wanted{};
            wanted.events = EPOLLIN;
            wanted.data.ptr = &each;
            ::epoll_ctl(epoll_, EPOLL_CTL_ADD, each.descriptor, &wanted);
        }
    }
    request_load(const request_load&) = delete;
    request_load& operator=(const request_load&) = delete;
    ~request_load() {
        for (const client& each : clients_)
            ::close(each.descriptor);
        ::close(epoll_);
    }

    /// The server's processor time per request, over so many of them.
    [[nodiscard]] double nanoseconds_each(const server_process& server, std::size_t requests) {
        const auto before = server.cpu_time();
        std::size_t begun = 0;
        for (client& each : clients_) {
            begin(each);
            ++begun;
        }
        for (std::size_t done = 0; done < begun;) {
            epoll_event ready[64];
            const int count = ::epoll_wait(epoll_, ready, 64, 10'000);
            if (count == 0)
                fail("no response within ten seconds");
            for (int at = 0; at < count; ++at) {
                client& each = *static_cast<client*>(ready[at].data.ptr);
                if (!read_some(each))
                    continue;
                ++done;
                if (begun < requests) {
                    ++begun;
                    begin(each);
                }
            }
        }
        return static_cast<double>((server.cpu_time() - before).count()) / static_cast<double>(begun);
    }

private:
    struct client {
        int descriptor;
        std::size_t missing;
    };

    [[noreturn]] static void fail(const char* reason) {
        std::fprintf(stderr, "speed: %s\n", reason);
        std::exit(1);
    }
    void begin(client& each) const {
        each.missing = response_size_;
        if (::send(each.descriptor, request_.data(), request_.size(), MSG_NOSIGNAL) != std::ssize(request_))
            fail("the server has closed a connection");
    }
    /// Whether the response is complete.
    bool read_some(client& each) {
        const auto size = ::recv(each.descriptor, memory_, std::min(sizeof(memory_), each.missing), 0);
        if (size <= 0)
            fail("the server has closed a connection");
        each.missing -= static_cast<std::size_t>(size);
        return each.missing == 0;
    }

    std::string request_;
    std::size_t response_size_;
    int epoll_;
    std::vector<client> clients_;
    char memory_[65536];
};

/// The words of an environment variable; none if it is not set.
inline std::vector<std::string> words_of_environment(const char* name) {
    std::vector<std::string> words;
    std::istringstream text(std::getenv(name) != nullptr ? std::getenv(name) : "");
    for (std::string word; text >> word;)
        words.push_back(word);
    return words;
}

}  // namespace course
