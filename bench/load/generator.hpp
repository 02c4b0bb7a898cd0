#pragma once

#include "load/clock.hpp"
#include "load/connect.hpp"
#include "load/connection.hpp"
#include "load/options.hpp"
#include "load/result.hpp"

#include <cerrno>
#include <stdexcept>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace bench {

// Keeps every connection busy with one request at a time: warm-up, then the measured window.
// Edge-triggered, one recv and one send a request: the socket is known to be empty once the reply is whole.
template <class Protocol>
class generator {
public:
    generator(Protocol& protocol, const load_options& options)
        : protocol_(protocol), options_(options), connections_(options.connections) {
        if (epoll_ < 0)
            throw std::system_error(errno, std::generic_category(), "epoll_create1");
    }
    generator(const generator&) = delete;
    ~generator() {
        for (connection& c : connections_)
            if (c.fd >= 0)
                close(c.fd);
        close(epoll_);
    }

    load_result run() {
        for (unsigned i = 0; i < connections_.size(); ++i) {
            connections_[i].index = i;
            open(connections_[i]);
        }
        for (connection& c : connections_)
            begin(c, now_ns());
        run_until(now_ns() + seconds_to_ns(options_.warmup_seconds));
        result_.latencies = {};

        const cpu_time measured_before = read_cpu_time(options_.measured_processes);
        const cpu_time own_before = read_cpu_time({getpid()});
        const std::uint64_t begin_ns = now_ns();
        run_until(begin_ns + seconds_to_ns(options_.seconds));
        result_.elapsed_ns = now_ns() - begin_ns;
        result_.own_cpu = read_cpu_time({getpid()}) - own_before;
        result_.measured_cpu = read_cpu_time(options_.measured_processes) - measured_before;
        return result_;
    }

private:
    static constexpr int events_max = 256;
    static constexpr std::uint64_t errors_max = 1000;

    static std::uint64_t seconds_to_ns(double seconds) { return static_cast<std::uint64_t>(seconds * 1e9); }

    void run_until(std::uint64_t deadline_ns) {
        epoll_event events[events_max];
        for (std::uint64_t now = now_ns(); now < deadline_ns; now = now_ns()) {
            const int timeout_ms = static_cast<int>((deadline_ns - now) / 1'000'000 + 1);
            const int count = epoll_wait(epoll_, events, events_max, timeout_ms);
            for (int i = 0; i < count; ++i)
                advance(*static_cast<connection*>(events[i].data.ptr));
        }
    }

    void advance(connection& c) {
        if (!c.unsent.empty())
            send_rest(c);
        const std::span<char> room = protocol_.room(c);
        const ssize_t count = recv(c.fd, room.data(), room.size(), 0);
        if (count <= 0)
            return count < 0 && errno == EAGAIN ? void() : reopen(c);
        switch (protocol_.consume(c, static_cast<std::size_t>(count))) {
            case verdict::complete:
                return finish(c);
            case verdict::incomplete:
                return static_cast<std::size_t>(count) == room.size() ? advance(c) : void();
            case verdict::wrong:
                return reopen(c);
        }
    }

    void finish(connection& c) {
        const std::uint64_t now = now_ns();
        result_.latencies.add(now - c.begun_ns);
        begin(c, now);
    }

    void begin(connection& c, std::uint64_t now) {
        c.unsent = protocol_.next_request(c);
        c.begun_ns = now;
        send_rest(c);
    }

    // What does not fit goes out on a later event; an error shows again, in recv.
    void send_rest(connection& c) {
        const ssize_t count = send(c.fd, c.unsent.data(), c.unsent.size(), MSG_NOSIGNAL);
        if (count > 0)
            c.unsent = c.unsent.subspan(static_cast<std::size_t>(count));
    }

    void open(connection& c) {
        c.fd = connect_to_server(options_.port, now_ns() + seconds_to_ns(options_.connect_seconds_max));
        epoll_event event{.events = EPOLLIN | EPOLLOUT | EPOLLET, .data = {.ptr = &c}};
        if (epoll_ctl(epoll_, EPOLL_CTL_ADD, c.fd, &event) != 0)
            throw std::system_error(errno, std::generic_category(), "epoll_ctl");
    }

    void reopen(connection& c) {
        if (++result_.errors > errors_max)
            throw std::runtime_error("more than 1000 wrong replies or lost connections");
        close(c.fd);
        open(c);
        begin(c, now_ns());
    }

    Protocol& protocol_;
    const load_options& options_;
    int epoll_ = epoll_create1(EPOLL_CLOEXEC);
    std::vector<connection> connections_;
    load_result result_;
};

}  // namespace bench
