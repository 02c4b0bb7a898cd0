#include "sockets/connections.hpp"
#include "sockets/raw_event_loop.hpp"

#include <deque>
#include <future>
#include <sys/socket.h>
#include <vector>

namespace bench::raw_epoll {
namespace {

// One end of a connection. It does what epoll has said that can be done until the socket says otherwise.
class flow_end {
public:
    flow_end(int descriptor, bool writes, bool reads, std::size_t buffer_bytes)
        : descriptor_(descriptor),
          sent_(writes ? buffer_bytes : 0, 'x'),
          received_(reads ? buffer_bytes : 0),
          is_closed_(!writes),
          has_ended_(!reads) {}

    void note(unsigned events) {
        can_write_ |= (events & EPOLLOUT) != 0;
        can_read_ |= (events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP)) != 0;
    }
    // Reads all there is, so that it is still in the caches, and writes once; whether there may be more to
    // do.
    bool advance(bool is_over) {
        while (!has_ended_ && can_read_)
            read();
        if (!is_closed_ && can_write_)
            write(is_over);
        return (!is_closed_ && can_write_) || (!has_ended_ && can_read_);
    }
    bool is_done() const { return is_closed_ && has_ended_; }
    void close_socket() const { close(descriptor_); }

    std::int64_t written = 0;
    std::int64_t received = 0;

private:
    void write(bool is_over) {
        if (is_over) {
            shutdown(descriptor_, SHUT_WR);
            is_closed_ = true;
            return;
        }
        const ssize_t count = send(descriptor_, sent_.data(), sent_.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        written += count > 0 ? count : 0;
        can_write_ = count == static_cast<ssize_t>(sent_.size());
    }
    void read() {
        const ssize_t count = recv(descriptor_, received_.data(), received_.size(), MSG_DONTWAIT);
        received += count > 0 ? count : 0;
        has_ended_ = count == 0;
        can_read_ = count == static_cast<ssize_t>(received_.size());  // less says that it is empty
    }

    int descriptor_;
    std::vector<char> sent_;
    std::vector<char> received_;
    bool is_closed_;
    bool has_ended_;
    bool can_write_ = false;
    bool can_read_ = false;
};

struct flow_totals {
    std::int64_t written = 0;
    std::int64_t read = 0;
};

// One thread's share of the connections: every so many, from its own number on.
flow_totals run_share(std::size_t thread, const flow_work& work,
                      const std::vector<std::pair<int, int>>& pairs, const alarm_clock& alarm) {
    event_loop loop;
    std::deque<flow_end> ends;
    for (std::size_t at = thread; at < pairs.size(); at += work.threads) {
        loop.watch(pairs[at].first, ends.size());
        ends.emplace_back(pairs[at].first, true, work.is_both_ways, work.buffer_bytes);
        loop.watch(pairs[at].second, ends.size());
        ends.emplace_back(pairs[at].second, work.is_both_ways, true, work.buffer_bytes);
    }
    flow_totals totals;
    for (bool is_done = false, is_busy = false; !is_done;) {
        for (const epoll_event& event : loop.wait(!is_busy))
            ends[static_cast<std::size_t>(event.data.u64)].note(event.events);
        is_busy = false;
        is_done = true;
        for (flow_end& end : ends) {
            is_busy |= end.advance(alarm.has_rung());
            is_done &= end.is_done();
        }
    }
    for (const flow_end& end : ends) {
        totals.written += end.written;
        totals.read += end.received;
        end.close_socket();
    }
    return totals;
}

}  // namespace

sample threaded_flow(const flow_work& work) {
    const auto pairs = connected_pairs(work.over, work.connections);
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    std::vector<std::future<flow_totals>> shares;
    for (std::size_t thread = 0; thread < work.threads; ++thread)
        shares.push_back(
            std::async(std::launch::async, [&, thread] { return run_share(thread, work, pairs, alarm); }));
    flow_totals all;
    for (std::future<flow_totals>& share : shares) {
        const flow_totals totals = share.get();
        all.written += totals.written;
        all.read += totals.read;
    }
    return flow_sample(watch, all.written, all.read);
}

}  // namespace bench::raw_epoll
