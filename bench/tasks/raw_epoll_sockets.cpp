#include "sockets/connections.hpp"
#include "sockets/raw_event_loop.hpp"
#include "tasks/raw_fan_out.hpp"
#include "tasks/works.hpp"

#include <array>
#include <cerrno>
#include <future>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace bench {
namespace {

using raw_epoll::event_loop;

void send_whole(int to, std::string_view bytes) {
    const ssize_t count = send(to, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    expect_bytes(bytes.size(), static_cast<std::size_t>(count));
}

// How much there is; 0 at the end and where there is nothing.
std::size_t receive(int from, std::span<char> into) {
    const ssize_t count = recv(from, into.data(), into.size(), MSG_DONTWAIT);
    return count > 0 ? static_cast<std::size_t>(count) : 0;
}

// A connection of a fan-out. Messages are so small that they come whole.
struct fan_out_connection {
    int client, server;
    echoed_message message;

    void ask() {
        const echoed_message::bytes& sent = message.next();
        send_whole(client, {sent.data(), sent.size()});
    }
    void reply() {
        echoed_message::bytes seen;
        expect_bytes(seen.size(), receive(server, seen));
        send_whole(server, {seen.data(), seen.size()});
    }
    void take_reply() {
        expect_bytes(message.reply().size(), receive(client, message.reply()));
        message.check();
    }
};

// The ends of some request_work's connections that one thread has, clients or servers or both.
class request_ends {
public:
    request_ends(const alarm_clock& alarm, lap_times& laps) : alarm_(alarm), laps_(laps) {}

    void add(int descriptor, bool is_client) {
        loop_.watch(descriptor, ends_.size());
        ends_.emplace_back(descriptor, is_client, lap_times::clock::now());
    }
    // Until all have ended.
    void run() {
        for (end& one : ends_)
            if (one.is_client) {
                one.begun = lap_times::clock::now();
                send_whole(one.descriptor, request_text);
            }
        for (std::size_t open = ends_.size(); open != 0;)
            for (const epoll_event& event : loop_.wait())
                if ((event.events & EPOLLIN) != 0)
                    open -= advance(ends_[static_cast<std::size_t>(event.data.u64)]);
    }

    std::uint64_t served = 0;

private:
    struct end {
        int descriptor;
        bool is_client;
        lap_times::clock::time_point begun;
        bool has_ended = false;
    };

    // Whether it has ended.
    bool advance(end& one) {
        const ssize_t count = recv(one.descriptor, buffer_.data(), buffer_.size(), MSG_DONTWAIT);
        // An event of something else tells of the end once more.
        if (count <= 0)
            return count == 0 && !one.is_client && !std::exchange(one.has_ended, true);
        expect_bytes(one.is_client ? reply_text.size() : request_text.size(),
                     static_cast<std::size_t>(count));
        if (!one.is_client) {
            send_whole(one.descriptor, reply_text);
            ++served;
            return false;
        }
        laps_.note(one.begun);
        if (!alarm_.has_rung()) {
            send_whole(one.descriptor, request_text);
            return false;
        }
        shutdown(one.descriptor, SHUT_WR);
        return true;
    }

    event_loop loop_;
    const alarm_clock& alarm_;
    lap_times& laps_;
    std::vector<end> ends_;
    std::array<char, 4096> buffer_;
};

}  // namespace

sample raw_epoll_fan_out(const fan_out_work& work) {
    event_loop loop;
    std::vector<fan_out_connection> connections;  // clients have even numbers
    for (const auto& [client, server] : connected_pairs(transport::tcp, work.connections())) {
        loop.watch(client, 2 * connections.size());
        loop.watch(server, 2 * connections.size() + 1);
        connections.push_back({client, server, {}});
    }
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    raw_parents parents(work, alarm);
    const auto start = [&](std::size_t number) { connections[number].ask(); };
    for (std::size_t number = 0; number < connections.size(); ++number)
        start(number);
    while (parents.are_running())
        for (const epoll_event& event : loop.wait()) {
            if ((event.events & EPOLLIN) == 0)
                continue;
            const auto end = static_cast<std::size_t>(event.data.u64);
            if (end % 2 != 0) {
                connections[end / 2].reply();
                continue;
            }
            connections[end / 2].take_reply();
            parents.arrive(end / 2, start);
        }
    const sample result = parents.stop(watch);
    for (const fan_out_connection& one : connections)
        close(one.client), close(one.server);
    return result;
}

sample raw_epoll_requests(const request_work& work) {
    const auto pairs = connected_pairs(transport::tcp, request_work::connections);
    lap_times laps;
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    request_ends own(alarm, laps);
    request_ends other(alarm, laps);
    request_ends& servers = work.threads == 1 ? own : other;
    for (const auto& [client, server] : pairs) {
        own.add(client, true);
        servers.add(server, false);
    }
    auto serving = std::async(std::launch::async, [&] { other.run(); });
    own.run();
    serving.get();
    expect_value(static_cast<std::uint64_t>(laps.total()), servers.served);
    const sample result = laps.stop(watch);
    for (const auto& [client, server] : pairs)
        close(client), close(server);
    return result;
}

sample raw_calls_socket_pair(const step_work& work) {
    const auto [writer, reader] = connected_pair(transport::local);
    const std::string message(pipe_work::bytes, 'x');
    std::array<char, pipe_work::bytes> buffer;
    std::int64_t count = 0;
    const stopwatch watch;
    for (const alarm_clock alarm(work.seconds); !alarm.has_rung(); ++count) {
        send_whole(writer, message);
        expect_bytes(message.size(), receive(reader, buffer));
    }
    const sample result = watch.stop(count);
    close(writer);
    close(reader);
    return result;
}

}  // namespace bench
