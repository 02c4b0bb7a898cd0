#include "sync/throughput.hpp"

#include <eddy/eddy.hpp>
#include <eddy/sync/channel.hpp>

namespace bench {
namespace {

eddy::task<> send(eddy::channel<int>& channel, double seconds, std::int64_t& sent) {
    const time_window window(seconds);
    for (; !window.is_over(); sent += throughput_batch)
        for (int value = 0; value < throughput_batch; ++value)
            co_await channel.send(value);
    channel.close();
}

eddy::task<> receive(eddy::channel<int>& channel, std::int64_t& received) {
    while ([[maybe_unused]] const auto item = co_await channel.recv())
        ++received;
}

// The receiver runs on the last worker, the sender on the first.
eddy::task<sample> send_and_receive(double seconds) {
    eddy::channel<int> channel(throughput_capacity);
    eddy::runtime& here = eddy::runtime::current();
    std::int64_t sent = 0;
    std::int64_t received = 0;
    const stopwatch watch;
    auto receiver = here.spawn_on(here.workers() - 1, receive(channel, received));
    co_await send(channel, seconds, sent);
    co_await receiver;
    co_return received_all(watch, received, sent);
}

}  // namespace

sample eddy_channel_across_workers(double seconds) {
    return eddy::run(send_and_receive(seconds), eddy::runtime_options().workers(2));
}

sample eddy_channel_on_one_worker(double seconds) {
    return eddy::run(send_and_receive(seconds), eddy::runtime_options().workers(1));
}

}  // namespace bench
