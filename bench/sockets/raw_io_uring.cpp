#include "common/ring.hpp"
#include "sockets/connections.hpp"

#include <cerrno>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace bench::raw_io_uring {
namespace {

// One way of a flow. Its two requests are told apart by the lowest bit of what they carry.
class direction {
public:
    direction(ring& own, int from, int to, std::size_t buffer_bytes)
        : ring_(&own), from_(from), to_(to), sent_(buffer_bytes, 'x'), received_(buffer_bytes) {}

    void begin() {
        queue_send();
        queue_receive();
    }
    // Takes a completion; whether the flow has ended.
    bool complete(const io_uring_cqe& seen, bool is_over) {
        if ((seen.user_data & 1) == 0) {
            written_ += seen.res > 0 ? seen.res : 0;
            is_over ? void(shutdown(from_, SHUT_WR)) : queue_send();
            return false;
        }
        read_ += seen.res > 0 ? seen.res : 0;
        if (seen.res > 0)
            queue_receive();
        return seen.res <= 0;
    }
    std::int64_t written() const { return written_; }
    std::int64_t read_total() const { return read_; }

private:
    void queue_send() {
        io_uring_sqe* const entry = ring_->entry();
        io_uring_prep_send(entry, from_, sent_.data(), sent_.size(), MSG_NOSIGNAL);
        entry->user_data = reinterpret_cast<std::uintptr_t>(this);
    }
    void queue_receive() {
        io_uring_sqe* const entry = ring_->entry();
        io_uring_prep_recv(entry, to_, received_.data(), received_.size(), 0);
        entry->user_data = reinterpret_cast<std::uintptr_t>(this) | 1;
    }

    ring* ring_;
    int from_;
    int to_;
    std::vector<char> sent_;
    std::vector<char> received_;
    std::int64_t written_ = 0;
    std::int64_t read_ = 0;
};

// Both ends of a ping-pong. A message is sent and, by the other end, received within one entry to the kernel.
class rally {
public:
    rally(ring& own, const ping_pong_work& work)
        : ring_(&own),
          ends_(connected_pair(work.over)),
          sent_(work.message_bytes),
          received_(work.message_bytes) {}

    // Sends from one end to the other.
    void stroke() {
        const int from = is_returning_ ? ends_.second : ends_.first;
        const int to = is_returning_ ? ends_.first : ends_.second;
        io_uring_sqe* const sending = ring_->entry();
        io_uring_prep_send(sending, from, sent_.data(), sent_.size(), MSG_NOSIGNAL);
        sending->user_data = 0;
        sending->flags |= IOSQE_CQE_SKIP_SUCCESS;
        io_uring_sqe* const receiving = ring_->entry();
        io_uring_prep_recv(receiving, to, received_.data(), received_.size(), MSG_WAITALL);
        receiving->user_data = reinterpret_cast<std::uintptr_t>(this);
    }
    // Whether that was the end of a round trip.
    bool complete(const io_uring_cqe& seen) {
        expect_bytes(received_.size(), static_cast<std::size_t>(seen.res));
        is_returning_ = !is_returning_;
        return !is_returning_;
    }
    void close_both() const {
        close(ends_.first);
        close(ends_.second);
    }

    lap_times::clock::time_point begun = lap_times::clock::now();

private:
    ring* ring_;
    std::pair<int, int> ends_;
    std::vector<char> sent_;
    std::vector<char> received_;
    bool is_returning_ = false;
};

template <class T>
T& owner_of(const io_uring_cqe& seen) {
    return *reinterpret_cast<T*>(static_cast<std::uintptr_t>(seen.user_data & ~std::uint64_t{1}));
}

}  // namespace

sample flow(const flow_work& work) {
    const auto [first, second] = connected_pair(work.over);
    ring own;
    std::vector<direction> directions;
    directions.emplace_back(own, first, second, work.buffer_bytes);
    if (work.is_both_ways)
        directions.emplace_back(own, second, first, work.buffer_bytes);
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    for (direction& one : directions)
        one.begin();
    for (std::size_t ended = 0; ended != directions.size();) {
        own.submit_and_wait();
        own.for_each_completion([&](const io_uring_cqe& seen) {
            ended += owner_of<direction>(seen).complete(seen, alarm.has_rung());
        });
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
    ring own;
    std::vector<rally> rallies;
    for (int pair = 0; pair < work.pairs; ++pair)
        rallies.emplace_back(own, work);
    lap_times laps;
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    for (rally& one : rallies)
        one.stroke();
    for (int running = work.pairs; running != 0;) {
        own.submit_and_wait();
        own.for_each_completion([&](const io_uring_cqe& seen) {
            if (seen.user_data == 0)
                throw failure("a message could not be sent");
            rally& one = owner_of<rally>(seen);
            if (one.complete(seen)) {
                laps.note(one.begun);
                if (alarm.has_rung()) {
                    --running;
                    return;
                }
            }
            one.stroke();
        });
    }
    const sample result = laps.stop(watch);
    for (const rally& one : rallies)
        one.close_both();
    return result;
}

}  // namespace bench::raw_io_uring
