#pragma once

#include "measure/sample.hpp"

#include <cstddef>
#include <cstdint>

namespace bench {

inline constexpr std::size_t throughput_capacity = 1024;
inline constexpr int throughput_batch = 1024;  // items between two looks at the clock

// Integers one by one through a channel of 1024 places for that long, sender and receiver on threads (or
// workers) of their own or on one.
sample std_queue_across_threads(double seconds);
sample asio_channel_across_threads(double seconds);
sample asio_channel_on_one_thread(double seconds);
sample eddy_channel_across_workers(double seconds);
sample eddy_channel_on_one_worker(double seconds);

// Throws failure when something was lost.
inline sample received_all(const stopwatch& watch, std::int64_t received, std::int64_t sent) {
    expect_all(sent, received, "received");
    return watch.stop(received);
}

}  // namespace bench
