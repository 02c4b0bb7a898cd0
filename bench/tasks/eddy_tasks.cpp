// Tasks of eddy alone.
#include "tasks/steps.hpp"

#include <eddy/eddy.hpp>
#include <eddy/sync/channel.hpp>

#include <vector>

namespace bench {
namespace {

eddy::task<std::uint64_t> skynet(std::uint64_t first, std::uint64_t leaves) {
    if (leaves == 1)
        co_return first;
    const std::uint64_t share = leaves / skynet_work::children;
    std::vector<eddy::task<std::uint64_t>> children;
    children.reserve(skynet_work::children);
    for (std::uint64_t child = 0; child < skynet_work::children; ++child)
        children.push_back(skynet(first + child * share, share));
    const std::vector<std::uint64_t> values = co_await eddy::when_all(children);
    std::uint64_t sum = 0;
    for (const std::uint64_t value : values)
        sum += value;
    co_return sum;
}

// Tasks stay on their workers, so the first ten are dealt out.
eddy::task<std::uint64_t> skynet_on_all_workers() {
    eddy::runtime& here = eddy::runtime::current();
    constexpr std::uint64_t share = skynet_work::leaves / skynet_work::children;
    std::vector<eddy::remote_handle<std::uint64_t>> children;
    for (std::uint64_t child = 0; child < skynet_work::children; ++child)
        children.push_back(
            here.spawn_on(child % here.workers(), [child] { return skynet(child * share, share); }));
    std::uint64_t sum = 0;
    for (auto& child : children)
        sum += co_await child;
    co_return sum;
}

eddy::task<std::uint64_t> fib(int number) {
    if (number < 2)
        co_return static_cast<std::uint64_t>(number);
    auto larger = eddy::spawn(fib(number - 1));
    const std::uint64_t smaller = co_await fib(number - 2);
    co_return smaller + co_await larger;
}

// Tasks stay on their workers, so the calls of the first levels are dealt out.
eddy::task<std::uint64_t> fib_on_all_workers(int number, int levels) {
    if (levels == 0)
        co_return co_await fib(number);
    auto larger = eddy::runtime::current().spawn(fib_on_all_workers(number - 1, levels - 1));
    const std::uint64_t smaller = co_await fib_on_all_workers(number - 2, levels - 1);
    co_return smaller + co_await larger;
}

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

using eddy_steps = steps<eddy::task, [] { return eddy::yield(); }>;

eddy::async_generator<std::uint64_t> numbers() {
    for (std::uint64_t number = 1;; ++number)
        co_yield number;
}

eddy::task<sample> generate_until(double seconds) {
    eddy::async_generator<std::uint64_t> values = numbers();
    std::uint64_t count = 0, last = 0;
    const stopwatch watch;
    for (const alarm_clock alarm(seconds); !alarm.has_rung(); ++count)
        last = *co_await values.next();
    expect_value(count, last);
    co_return watch.stop(static_cast<std::int64_t>(count));
}

}  // namespace

sample eddy_skynet(const skynet_work& work) {
    eddy::runtime workers(eddy::runtime_options().workers(work.threads));
    return repeat_runs(work.seconds, skynet_work::leaves, [&] {
        expect_value(skynet_work::sum, workers.run(work.threads == 1 ? skynet(0, skynet_work::leaves)
                                                                     : skynet_on_all_workers()));
    });
}

sample eddy_fib(const fib_work& work) {
    constexpr int levels_dealt_out = 5;
    eddy::runtime workers(eddy::runtime_options().workers(work.threads));
    return repeat_runs(work.seconds, fib_work::calls, [&] {
        expect_value(fib_work::result,
                     workers.run(work.threads == 1 ? fib(fib_work::number)
                                                   : fib_on_all_workers(fib_work::number, levels_dealt_out)));
    });
}

sample eddy_channel(const channel_work& work) {
    eddy::runtime workers(eddy::runtime_options().workers(work.threads));
    return repeat_runs(work.seconds, channel_work::items,
                       [&] { expect_all_consumed(workers.run(produce_and_consume(work))); });
}

sample eddy_await_ready(const step_work& work) {
    return eddy::run(eddy_steps::call_until(work.seconds, &eddy_steps::one));
}
sample eddy_await_yield(const step_work& work) {
    return eddy::run(eddy_steps::yield_until(work.seconds));
}
sample eddy_await_yield_below(const step_work& work) {
    return eddy::run(eddy_steps::call_until(work.seconds, &eddy_steps::one_after_yield));
}
sample eddy_await_yield_two_below(const step_work& work) {
    return eddy::run(eddy_steps::call_until(work.seconds, &eddy_steps::one_from_below));
}
sample eddy_generator(const step_work& work) {
    return eddy::run(generate_until(work.seconds));
}

}  // namespace bench
