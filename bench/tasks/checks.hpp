#pragma once

#include "contest/sample.hpp"
#include "driver/errors.hpp"
#include "tasks/works.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace bench {

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
