#include "common/ring.hpp"
#include "sockets/connections.hpp"
#include "tasks/raw_fan_out.hpp"
#include "tasks/works.hpp"

#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace bench {
namespace {

// Both ends of a connection. A message is sent and, by the other end, received within one entry to the
// kernel.
class fan_out_connection {
public:
    fan_out_connection(std::pair<int, int> ends) : ends_(ends) {}

    void ask(ring& own, std::uint64_t number) {
        const echoed_message::bytes& sent = message_.next();
        stroke(own, ends_.first, sent, ends_.second, seen_, number);
    }
    // Takes the completion of a receive; whether it was the reply.
    bool complete(ring& own, const io_uring_cqe& seen, std::uint64_t number) {
        expect_bytes(seen_.size(), static_cast<std::size_t>(seen.res));
        is_returning_ = !is_returning_;
        if (is_returning_)
            stroke(own, ends_.second, seen_, ends_.first, message_.reply(), number);
        else
            message_.check();
        return !is_returning_;
    }
    void close_both() const {
        close(ends_.first);
        close(ends_.second);
    }

private:
    static void stroke(ring& own, int from, const echoed_message::bytes& sent, int to,
                       echoed_message::bytes& received, std::uint64_t number) {
        io_uring_sqe* const sending = own.entry();
        io_uring_prep_send(sending, from, sent.data(), sent.size(), MSG_NOSIGNAL);
        sending->user_data = failed_send;
        sending->flags |= IOSQE_CQE_SKIP_SUCCESS;
        io_uring_sqe* const receiving = own.entry();
        io_uring_prep_recv(receiving, to, received.data(), received.size(), MSG_WAITALL);
        receiving->user_data = number;
    }

public:
    static constexpr std::uint64_t failed_send = ~std::uint64_t{0};

private:
    std::pair<int, int> ends_;
    echoed_message message_;
    echoed_message::bytes seen_{};  // by the server
    bool is_returning_ = false;
};

}  // namespace

sample raw_io_uring_fan_out(const fan_out_work& work) {
    ring own;
    std::vector<fan_out_connection> connections;
    for (const auto& pair : connected_pairs(transport::tcp, work.connections()))
        connections.emplace_back(pair);
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    raw_parents parents(work, alarm);
    const auto start = [&](std::size_t number) { connections[number].ask(own, number); };
    for (std::size_t number = 0; number < connections.size(); ++number)
        start(number);
    while (parents.are_running()) {
        own.submit_and_wait();
        own.for_each_completion([&](const io_uring_cqe& seen) {
            if (seen.user_data == fan_out_connection::failed_send)
                throw failure("a message could not be sent");
            if (connections[seen.user_data].complete(own, seen, seen.user_data))
                parents.arrive(seen.user_data, start);
        });
    }
    const sample result = parents.stop(watch);
    for (const fan_out_connection& one : connections)
        one.close_both();
    return result;
}

}  // namespace bench
