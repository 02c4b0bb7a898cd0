#include "tasks/checks.hpp"
#include "tasks/eddy_tasks.hpp"

#include <eddy/eddy.hpp>
#include <eddy/sync/channel.hpp>

#include <vector>

namespace bench {
namespace {

eddy::task<> produce(eddy::channel<std::uint64_t>& to, std::uint64_t first, std::uint64_t end) {
    for (std::uint64_t number = first; number < end; ++number)
        co_await to.send(number);
}

eddy::task<consumed> consume(eddy::channel<std::uint64_t>& from) {
    consumed got;
    while (const auto number = co_await from.recv()) {
        ++got.count;
        got.sum += *number;
    }
    co_return got;
}

// Producers and consumers are dealt out among the workers, a lone consumer away from a lone producer.
eddy::task<consumed> produce_and_consume(const channel_work& work) {
    eddy::runtime& here = eddy::runtime::current();
    eddy::channel<std::uint64_t> channel(channel_work::capacity);
    std::vector<eddy::remote_handle<consumed>> consumers;
    for (std::size_t at = 0; at < work.consumers; ++at)
        consumers.push_back(
            here.spawn_on((at + 1) % here.workers(), [&channel] { return consume(channel); }));
    std::vector<eddy::remote_handle<>> producers;
    for (std::size_t at = 0; at < work.producers; ++at)
        producers.push_back(here.spawn_on(at % here.workers(), [&channel, &work, at] {
            return produce(channel, work.first(at), work.first(at + 1));
        }));
    for (auto& producer : producers)
        co_await producer;
    channel.close();
    consumed all;
    for (auto& consumer : consumers) {
        const consumed got = co_await consumer;
        all.count += got.count;
        all.sum += got.sum;
    }
    co_return all;
}

}  // namespace

sample eddy_channel(const channel_work& work) {
    eddy::runtime workers(eddy::runtime_options().workers(work.threads));
    return repeat_runs(work.seconds, channel_work::items,
                       [&] { expect_all_consumed(workers.run(produce_and_consume(work))); });
}

}  // namespace bench
