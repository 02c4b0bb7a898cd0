#pragma once

#include <cstddef>
#include <cstdint>

namespace bench {

// -- tasks alone, by so many threads or workers --

// A task has ten children, each of them has ten, and so on down to a million leaves. A leaf gives its number,
// the others the sum of their children. All children of a task run at the same time. The item is a leaf.
struct skynet_work {
    static constexpr std::uint64_t leaves = 1'000'000;
    static constexpr std::uint64_t children = 10;
    static constexpr std::uint64_t sum = leaves * (leaves - 1) / 2;
    double seconds;
    std::size_t threads;
};

// fib(n) runs fib(n - 1) and fib(n - 2) at the same time. The item is a call.
struct fib_work {
    static constexpr int number = 25;
    static constexpr std::uint64_t result = 75'025;
    static constexpr std::uint64_t calls = 242'785;
    double seconds;
    std::size_t threads;
};

// So many producers send a million numbers in all through a channel of 1024 places, consumers add them up.
// The item is a number.
struct channel_work {
    static constexpr std::size_t capacity = 1024;
    static constexpr std::uint64_t items = 1'000'000;
    double seconds;
    std::size_t threads;
    std::size_t producers;
    std::size_t consumers;

    // What the producer of that index sends: numbers from the first on.
    std::uint64_t first(std::size_t producer) const { return items * producer / producers; }
};

// -- tasks and sockets --

// Each parent has groups with so many sub-requests each, all begun at once: 64 bytes to an echo server of the
// sub-request's own and back. Once all have ended the parent begins again. With one group the parent itself
// waits for its sub-requests, with more a task for each group does. One thread. The item is a parent's round,
// timed.
struct fan_out_work {
    static constexpr std::size_t message_bytes = 64;
    double seconds;
    std::size_t parents;
    std::size_t groups;
    std::size_t children;

    std::size_t per_parent() const { return groups * children; }
    std::size_t connections() const { return parents * per_parent(); }
};

// Clients on 20 connections send a request and read the reply, again and again; the server reads
// what there is and replies. By one thread, or by one for the server and one for the clients. The item is a
// request.
struct request_work {
    static constexpr std::size_t connections = 20;
    double seconds;
    std::size_t threads;
};

// -- single steps, by one task again and again --

struct step_work {
    double seconds;
};

}  // namespace bench
