#pragma once

#include "measure/sample.hpp"

#include <eddy/runtime/runtime_options.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

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

// -- who does them --

// Tasks alone, with awaitable.
sample asio_skynet(const skynet_work& work);
sample asio_fib(const fib_work& work);
sample asio_channel(const channel_work& work);
sample asio_await_ready(const step_work& work);
sample asio_await_yield(const step_work& work);
sample asio_await_yield_below(const step_work& work);
sample asio_await_yield_two_below(const step_work& work);
sample asio_generator(const step_work& work);

// With eddy's. Which backend lies below makes no difference to them.
sample eddy_skynet(const skynet_work& work);
sample eddy_fib(const fib_work& work);
sample eddy_channel(const channel_work& work);
sample eddy_await_ready(const step_work& work);
sample eddy_await_yield(const step_work& work);
sample eddy_await_yield_below(const step_work& work);
sample eddy_await_yield_two_below(const step_work& work);
sample eddy_generator(const step_work& work);

// With the least that a task can be.
namespace bare_steps {
sample await_ready(const step_work& work);
sample await_yield(const step_work& work);
sample await_yield_below(const step_work& work);
sample await_yield_two_below(const step_work& work);
}  // namespace bare_steps

// Tasks and sockets: with functions that Asio calls back, with its awaitable, with eddy's tasks on one of the
// backends, and with loops written by hand, to which it makes no difference whether a parent has groups.
sample asio_callback_fan_out(const fan_out_work& work);
sample asio_callback_requests(const request_work& work);
sample asio_callback_socket_pair(const step_work& work);
sample asio_coroutine_fan_out(const fan_out_work& work);
sample asio_coroutine_requests(const request_work& work);
sample asio_coroutine_socket_pair(const step_work& work);
sample eddy_fan_out(eddy::backend_kind backend, const fan_out_work& work);
sample eddy_requests(eddy::backend_kind backend, const request_work& work);
sample eddy_socket_pair(eddy::backend_kind backend, const step_work& work);
sample raw_epoll_fan_out(const fan_out_work& work);
sample raw_io_uring_fan_out(const fan_out_work& work);
sample raw_epoll_requests(const request_work& work);
sample raw_calls_socket_pair(const step_work& work);

// -- how they are checked --

inline void expect_value(std::uint64_t wanted, std::uint64_t got) {
    if (wanted != got)
        throw failure("the result is " + std::to_string(got) + " instead of " + std::to_string(wanted));
}

// The numbers that a consumer of a channel_work got.
struct consumed {
    std::uint64_t count = 0;
    std::uint64_t sum = 0;
};

inline void expect_all_consumed(const consumed& all) {
    expect_value(channel_work::items, all.count);
    expect_value(channel_work::items * (channel_work::items - 1) / 2, all.sum);
}

// A message of a sub-request, other bytes each time, and what has come back.
class echoed_message {
public:
    using bytes = std::array<char, fan_out_work::message_bytes>;

    const bytes& next() {
        sent_.fill(++letter_);
        return sent_;
    }
    bytes& reply() { return reply_; }
    void check() const {
        if (reply_ != sent_)
            throw failure("another message came back");
    }

private:
    bytes sent_{};
    bytes reply_{};
    char letter_ = 0;
};

// What is asked and replied in a request_work.
inline constexpr std::string_view request_text =
    "HEAD / HTTP/1.1\r\nHost: host:port\r\nConnection: close\r\n\r\n";
inline constexpr std::string_view reply_text =
    "HTTP/1.1 200 OK\r\nContent-Length: 12\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nHello World!";

// Repeats whole runs until the time is over. Requires: `run` does its work and checks it.
template <class Run>
sample repeat_runs(double seconds, std::uint64_t items_a_run, Run run) {
    const stopwatch watch;
    const time_window window(seconds);
    std::uint64_t items = 0;
    do {
        run();
        items += items_a_run;
    } while (!window.is_over());
    return watch.stop(static_cast<std::int64_t>(items));
}

}  // namespace bench
