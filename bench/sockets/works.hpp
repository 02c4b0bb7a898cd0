#pragma once

#include "measure/sample.hpp"

#include <eddy/runtime/runtime_options.hpp>

#include <cstddef>

namespace bench {

// What subjects do. Each does all of it on one thread, both ends of every connection included, unless the work
// says otherwise.

enum class transport { tcp, local };

// On each of so many connections one task writes a buffer again and again (as much of it as one write takes),
// another reads into a buffer of the same size, until the time is over and all has arrived. Both ways: two such
// pairs of tasks on one connection. With several threads these share the connections. The item is a KiB that
// was read.
struct flow_work {
    double seconds;
    transport over;
    std::size_t buffer_bytes;
    bool is_both_ways;
    std::size_t connections = 1;
    std::size_t threads = 1;
};

// On each of so many connections: one end sends a message, the other reads it whole and sends it back, the
// first reads it whole. The item is a round trip.
struct ping_pong_work {
    double seconds;
    transport over;
    std::size_t message_bytes;
    int pairs;
};

// Each of so many loops has a listener and again and again connects to it, accepts, sends one byte to the end
// that has accepted, which reads it, and closes both ends, the first one with a reset. The item is a
// connection.
struct churn_work {
    double seconds;
    int loops;
};

// Again and again so many connections to one listener are begun, all are accepted, and all are closed. The
// item is a connection.
struct burst_work {
    double seconds;
    int connections;
};

// One task sends datagrams, another receives them. The item is a datagram that was received.
struct datagram_work {
    double seconds;
    std::size_t datagram_bytes;
};

// One task writes 256 bytes to a pipe and reads them from its other end. The item is such a pair.
struct pipe_work {
    static constexpr std::size_t bytes = 256;
    double seconds;
};

// How many datagrams go at once, where they go in batches.
inline constexpr std::size_t datagram_batch_size = 32;

// System calls in the order in which they succeed at once, and nothing else: no event loop can need less, but
// by using fewer calls.
namespace raw_calls {
sample ping_pong(const ping_pong_work& work);
sample churn(const churn_work& work);
sample burst(const burst_work& work);
sample datagrams(const datagram_work& work);
sample datagram_batches(const datagram_work& work);
sample pipe(const pipe_work& work);
}  // namespace raw_calls

// An event loop on epoll, edge-triggered, written by hand.
namespace raw_epoll {
sample flow(const flow_work& work);
sample threaded_flow(const flow_work& work);
sample ping_pong(const ping_pong_work& work);
}  // namespace raw_epoll

// An event loop on liburing, written by hand: all that can go at once goes into one entry to the kernel.
namespace raw_io_uring {
sample flow(const flow_work& work);
sample ping_pong(const ping_pong_work& work);
}  // namespace raw_io_uring

// Boost.Asio with functions that are called back.
namespace asio_callbacks {
sample flow(const flow_work& work);
sample ping_pong(const ping_pong_work& work);
sample churn(const churn_work& work);
sample burst(const burst_work& work);
sample datagrams(const datagram_work& work);
sample pipe(const pipe_work& work);
}  // namespace asio_callbacks

// Boost.Asio with awaitable.
namespace asio_coroutines {
sample flow(const flow_work& work);
sample ping_pong(const ping_pong_work& work);
sample churn(const churn_work& work);
sample burst(const burst_work& work);
sample datagrams(const datagram_work& work);
sample pipe(const pipe_work& work);
}  // namespace asio_coroutines

// What a user of eddy's would write.
namespace eddy_sockets {
sample flow(eddy::backend_kind backend, const flow_work& work);
sample ping_pong(eddy::backend_kind backend, const ping_pong_work& work);
sample churn(eddy::backend_kind backend, const churn_work& work);
sample burst(eddy::backend_kind backend, const burst_work& work);
sample datagrams(eddy::backend_kind backend, const datagram_work& work);
sample datagram_batches(eddy::backend_kind backend, const datagram_work& work);
sample pipe(eddy::backend_kind backend, const pipe_work& work);
}  // namespace eddy_sockets

// The sample of a flow. Throws failure unless all that was written was read.
inline sample flow_sample(const stopwatch& watch, std::int64_t written, std::int64_t read) {
    expect_all(written, read, "bytes read");
    return watch.stop(read / 1024);
}

inline sample datagram_sample(const stopwatch& watch, std::int64_t sent, std::int64_t received) {
    sample result = watch.stop(received);
    result.lost = static_cast<double>(sent - received);
    return result;
}

}  // namespace bench
