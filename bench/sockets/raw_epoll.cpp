#include "sockets/connections.hpp"
#include "sockets/raw_event_loop.hpp"

#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace bench::raw_epoll {
namespace {

// One way of a flow.
class direction {
public:
    direction(int from, int to, std::size_t buffer_bytes)
        : from_(from), to_(to), sent_(buffer_bytes, 'x'), received_(buffer_bytes) {}

    // One write and one read; whether anything moved.
    bool advance(bool is_over) {
        const bool has_written = !is_closed_ && write(is_over);
        const bool has_read = !has_ended_ && read();
        return has_written || has_read;
    }
    bool has_ended() const { return has_ended_; }
    std::int64_t written() const { return written_; }
    std::int64_t read_total() const { return read_; }

private:
    bool write(bool is_over) {
        if (is_over) {
            shutdown(from_, SHUT_WR);
            return is_closed_ = true;
        }
        const ssize_t count = send(from_, sent_.data(), sent_.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        written_ += count > 0 ? count : 0;
        return count > 0;
    }
    bool read() {
        const ssize_t count = recv(to_, received_.data(), received_.size(), MSG_DONTWAIT);
        read_ += count > 0 ? count : 0;
        has_ended_ = count == 0;
        return count >= 0;
    }

    int from_;
    int to_;
    std::vector<char> sent_;
    std::vector<char> received_;
    std::int64_t written_ = 0;
    std::int64_t read_ = 0;
    bool is_closed_ = false;
    bool has_ended_ = false;
};

// One end of a ping-pong, which reads once it is told that it can.
class ping_pong_end {
public:
    ping_pong_end(int descriptor, std::size_t message_bytes)
        : descriptor_(descriptor), message_(message_bytes) {}

    // Whether a message is whole.
    bool read() {
        const ssize_t count =
            recv(descriptor_, message_.data() + filled_, message_.size() - filled_, MSG_DONTWAIT);
        filled_ += count > 0 ? static_cast<std::size_t>(count) : 0;
        if (filled_ != message_.size())
            return false;
        filled_ = 0;
        return true;
    }
    void write() {
        const ssize_t count =
            send(descriptor_, message_.data(), message_.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        expect_bytes(message_.size(), static_cast<std::size_t>(count));
    }

private:
    int descriptor_;
    std::vector<char> message_;
    std::size_t filled_ = 0;
};

}  // namespace

sample flow(const flow_work& work) {
    const auto [first, second] = connected_pair(work.over);
    event_loop loop;
    loop.watch(first, 0);
    loop.watch(second, 1);
    std::vector<direction> directions;
    directions.emplace_back(first, second, work.buffer_bytes);
    if (work.is_both_ways)
        directions.emplace_back(second, first, work.buffer_bytes);
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    for (bool has_ended = false; !has_ended;) {
        bool has_moved = false;
        has_ended = true;
        for (direction& one : directions) {
            has_moved |= one.advance(alarm.has_rung());
            has_ended &= one.has_ended();
        }
        if (!has_moved && !has_ended)
            loop.wait();
    }
    std::int64_t written = 0, read = 0;
    for (const direction& one : directions)
        written += one.written(), read += one.read_total();
    const sample result = flow_sample(watch, written, read);
    close(first);
    close(second);
    return result;
}

sample ping_pong(const ping_pong_work& work) {
    event_loop loop;
    std::vector<ping_pong_end> ends;  // clients have even numbers
    std::vector<int> descriptors;
    for (int pair = 0; pair < work.pairs; ++pair) {
        const auto [client, server] = connected_pair(work.over);
        for (const int end : {client, server}) {
            loop.watch(end, ends.size());
            ends.emplace_back(end, work.message_bytes);
            descriptors.push_back(end);
        }
    }
    lap_times laps;
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    std::vector<lap_times::clock::time_point> begun(ends.size(), lap_times::clock::now());
    for (std::size_t client = 0; client < ends.size(); client += 2)
        ends[client].write();
    for (int running = work.pairs; running != 0;)
        for (const epoll_event& event : loop.wait()) {
            const auto number = static_cast<std::size_t>(event.data.u64);
            if ((event.events & EPOLLIN) == 0 || !ends[number].read())
                continue;
            if (number % 2 == 0) {
                laps.note(begun[number]);
                if (alarm.has_rung()) {
                    --running;
                    continue;
                }
            }
            ends[number].write();
        }
    const sample result = laps.stop(watch);
    for (const int descriptor : descriptors)
        close(descriptor);
    return result;
}

}  // namespace bench::raw_epoll
