#include "sockets/connections.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>
#include <vector>

namespace bench::raw_calls {
namespace {

int check(int result, const char* what) {
    if (result < 0)
        throw failure(std::string(what) + ": " + std::strerror(errno));
    return result;
}

void send_whole(int to, const std::vector<char>& message) {
    expect_bytes(message.size(), static_cast<std::size_t>(
                                     send(to, message.data(), message.size(), MSG_DONTWAIT | MSG_NOSIGNAL)));
}

void receive_whole(int from, std::vector<char>& message) {
    expect_bytes(message.size(),
                 static_cast<std::size_t>(recv(from, message.data(), message.size(), MSG_DONTWAIT)));
}

// Messages of one batch, each with its own memory.
class batch {
public:
    explicit batch(std::size_t datagram_bytes) : memory_(datagram_batch_size * datagram_bytes) {
        for (std::size_t at = 0; at < datagram_batch_size; ++at) {
            pieces_[at] = {memory_.data() + at * datagram_bytes, datagram_bytes};
            messages_[at].msg_hdr.msg_iov = &pieces_[at];
            messages_[at].msg_hdr.msg_iovlen = 1;
        }
    }
    int send_to(int descriptor) {
        return check(sendmmsg(descriptor, messages_.data(), datagram_batch_size, MSG_DONTWAIT), "sendmmsg");
    }
    int receive_from(int descriptor) {
        const int count = recvmmsg(descriptor, messages_.data(), datagram_batch_size, MSG_DONTWAIT, nullptr);
        return count < 0 && errno == EAGAIN ? 0 : check(count, "recvmmsg");
    }

private:
    std::vector<char> memory_;
    std::array<iovec, datagram_batch_size> pieces_{};
    std::array<mmsghdr, datagram_batch_size> messages_{};
};

}  // namespace

sample ping_pong(const ping_pong_work& work) {
    struct ends {
        explicit ends(transport over) : both(connected_pair(over)) {}

        std::pair<int, int> both;
        lap_times::clock::time_point begun = lap_times::clock::now();
    };
    std::vector<ends> pairs;
    for (int pair = 0; pair < work.pairs; ++pair)
        pairs.emplace_back(work.over);
    std::vector<char> message(work.message_bytes);
    lap_times laps;
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    while (!alarm.has_rung())
        for (ends& one : pairs) {
            send_whole(one.both.first, message);
            receive_whole(one.both.second, message);
            send_whole(one.both.second, message);
            receive_whole(one.both.first, message);
            laps.note(one.begun);
        }
    const sample result = laps.stop(watch);
    for (const ends& one : pairs)
        close(one.both.first), close(one.both.second);
    return result;
}

sample churn(const churn_work& work) {
    std::vector<listening> listeners;
    for (int loop = 0; loop < work.loops; ++loop)
        listeners.push_back(listen_on_loopback());
    std::vector<char> byte(1);
    std::int64_t count = 0;
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    while (!alarm.has_rung())
        for (const listening& one : listeners) {
            const int client = churn_socket(0);
            check(connect_to_loopback(client, one.port), "connect");
            const int server = check(accept4(one.descriptor, nullptr, nullptr, SOCK_CLOEXEC), "accept");
            send_whole(client, byte);
            receive_whole(server, byte);
            close(client);
            close(server);
            ++count;
        }
    return watch.stop(count);
}

sample burst(const burst_work& work) {
    const listening listener = listen_on_loopback();
    std::vector<int> descriptors;
    std::int64_t count = 0;
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    while (!alarm.has_rung()) {
        descriptors.clear();
        for (int at = 0; at < work.connections; ++at) {
            descriptors.push_back(churn_socket(0));
            check(connect_to_loopback(descriptors.back(), listener.port), "connect");
        }
        for (int at = 0; at < work.connections; ++at)
            descriptors.push_back(
                check(accept4(listener.descriptor, nullptr, nullptr, SOCK_CLOEXEC), "accept"));
        for (const int descriptor : descriptors)
            close(descriptor);
        count += work.connections;
    }
    return watch.stop(count);
}

sample datagrams(const datagram_work& work) {
    const auto [from, to] = datagram_pair();
    std::vector<char> datagram(work.datagram_bytes);
    std::int64_t count = 0;
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    while (!alarm.has_rung()) {
        send_whole(from, datagram);
        receive_whole(to, datagram);
        ++count;
    }
    return datagram_sample(watch, count, count);
}

sample datagram_batches(const datagram_work& work) {
    const auto [from, to] = datagram_pair();
    batch outgoing(work.datagram_bytes);
    batch incoming(work.datagram_bytes);
    std::int64_t sent = 0, received = 0;
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    while (!alarm.has_rung()) {
        sent += outgoing.send_to(from);
        received += incoming.receive_from(to);
    }
    return datagram_sample(watch, sent, received);
}

sample pipe(const pipe_work& work) {
    const auto [reading, writing] = pipe_pair();
    std::vector<char> bytes(pipe_work::bytes);
    std::int64_t count = 0;
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    while (!alarm.has_rung()) {
        expect_bytes(bytes.size(), static_cast<std::size_t>(write(writing, bytes.data(), bytes.size())));
        expect_bytes(bytes.size(), static_cast<std::size_t>(read(reading, bytes.data(), bytes.size())));
        ++count;
    }
    return watch.stop(count);
}

}  // namespace bench::raw_calls
