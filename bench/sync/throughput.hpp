#pragma once

#include "contest/sample.hpp"

namespace bench {

// Integers one by one through a channel of 1024 places for that long, sender and receiver on threads (or
// workers) of their own or on one.
sample std_queue_across_threads(double seconds);
sample asio_channel_across_threads(double seconds);
sample asio_channel_on_one_thread(double seconds);
sample eddy_channel_across_workers(double seconds);
sample eddy_channel_on_one_worker(double seconds);

}  // namespace bench
