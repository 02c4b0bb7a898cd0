#pragma once

#include <cstddef>

namespace bench {

// What players do. Each does all of it on one thread, both ends of every connection included, unless the work
// says otherwise.

enum class transport { tcp, local };

// One task writes a buffer again and again (as much of it as one write takes), another reads into a buffer of
// the same size, until the time is over and all has arrived. Both ways: two such pairs of tasks on one
// connection. The item is a KiB that was read.
struct flow_work {
    double seconds;
    transport over;
    std::size_t buffer_bytes;
    bool is_both_ways;
};

// The same on 32 connections with buffers of 64 KiB, by so many threads.
struct threaded_flow_work {
    static constexpr std::size_t connections = 32;
    static constexpr std::size_t buffer_bytes = 64 * 1024;
    double seconds;
    transport over;
    bool is_both_ways;
    std::size_t threads;
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

}  // namespace bench
