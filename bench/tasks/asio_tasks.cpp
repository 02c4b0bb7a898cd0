// Tasks of Boost.Asio alone, with awaitable.
#include "tasks/asio_awaitable.hpp"
#include "tasks/steps.hpp"

#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/experimental/channel.hpp>
#include <boost/asio/experimental/concurrent_channel.hpp>
#include <boost/asio/experimental/coro.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <atomic>
#include <deque>
#include <vector>

namespace bench {
namespace {

namespace asio = boost::asio;

asio_awaitable<std::uint64_t> skynet(asio_executor executor, std::uint64_t first, std::uint64_t leaves) {
    if (leaves == 1)
        co_return first;
    const std::uint64_t share = leaves / skynet_work::children;
    const auto child_at = [&](std::uint64_t child) {
        return asio::co_spawn(executor, skynet(executor, first + child * share, share), asio::deferred);
    };
    std::vector<decltype(child_at(0))> children;
    children.reserve(skynet_work::children);
    for (std::uint64_t child = 0; child < skynet_work::children; ++child)
        children.push_back(child_at(child));
    const auto [order, errors, values] = co_await asio::experimental::make_parallel_group(std::move(children))
                                             .async_wait(asio::experimental::wait_for_all(), asio::deferred);
    std::uint64_t sum = 0;
    for (const std::uint64_t value : values)
        sum += value;
    co_return sum;
}

asio_awaitable<std::uint64_t> skynet_root() {
    co_return co_await skynet(co_await asio::this_coro::executor, 0, skynet_work::leaves);
}

asio_awaitable<std::uint64_t> fib(int number) {
    using namespace asio::experimental::awaitable_operators;
    if (number < 2)
        co_return static_cast<std::uint64_t>(number);
    const auto [larger, smaller] = co_await (fib(number - 1) && fib(number - 2));
    co_return larger + smaller;
}

using signature = void(boost::system::error_code, std::uint64_t);
using local_channel = asio::experimental::channel<asio_executor, signature>;
using concurrent_channel = asio::experimental::concurrent_channel<asio_executor, signature>;

// The last one that has ended sends an end to each consumer. Closing would do for one producer, but with
// several what was queued then did not arrive.
template <class Channel>
asio_awaitable<> produce(Channel& to, std::uint64_t first, std::uint64_t end, std::size_t consumers,
                         std::atomic<std::size_t>& left) {
    for (std::uint64_t number = first; number < end; ++number)
        co_await to.async_send(boost::system::error_code(), number, asio::deferred);
    if (left.fetch_sub(1) != 1)
        co_return;
    for (std::size_t at = 0; at < consumers; ++at)
        co_await to.async_send(asio::error::eof, 0, asio::deferred);
}

template <class Channel>
asio_awaitable<> consume(Channel& from, consumed& result) {
    consumed got;
    for (boost::system::error_code error;;) {
        const std::uint64_t number =
            co_await from.async_receive(asio::redirect_error(asio::use_awaitable_t<asio_executor>(), error));
        if (error)
            break;
        ++got.count;
        got.sum += number;
    }
    result = got;
}

template <class Channel>
consumed produce_and_consume(const channel_work& work) {
    asio::io_context context(static_cast<int>(work.threads));
    Channel channel(context.get_executor(), channel_work::capacity);
    std::atomic<std::size_t> left = work.producers;
    std::deque<consumed> results;
    for (std::size_t at = 0; at < work.consumers; ++at)
        begin(context, consume(channel, results.emplace_back()));
    for (std::size_t at = 0; at < work.producers; ++at)
        begin(context, produce(channel, work.first(at), work.first(at + 1), work.consumers, left));
    run_on_threads(context, work.threads);
    consumed all;
    for (const consumed& got : results) {
        all.count += got.count;
        all.sum += got.sum;
    }
    return all;
}

using asio_steps = steps<asio_awaitable, [] { return asio::post(asio::deferred); }>;

asio::experimental::coro<std::uint64_t, void, asio_executor> numbers(asio_executor) {
    for (std::uint64_t number = 1;; ++number)
        co_yield number;
}

asio_awaitable<sample> generate_until(double seconds) {
    auto values = numbers(co_await asio::this_coro::executor);
    std::uint64_t count = 0, last = 0;
    const stopwatch watch;
    for (const alarm_clock alarm(seconds); !alarm.has_rung(); ++count)
        last = *co_await values.async_resume(asio::use_awaitable_t<asio_executor>());
    expect_value(count, last);
    co_return watch.stop(static_cast<std::int64_t>(count));
}

}  // namespace

sample asio_skynet(const skynet_work& work) {
    return repeat_runs(work.seconds, skynet_work::leaves,
                       [&] { expect_value(skynet_work::sum, run_task(work.threads, skynet_root())); });
}

sample asio_fib(const fib_work& work) {
    return repeat_runs(work.seconds, fib_work::calls, [&] {
        expect_value(fib_work::result, run_task(work.threads, fib(fib_work::number)));
    });
}

sample asio_channel(const channel_work& work) {
    return repeat_runs(work.seconds, channel_work::items, [&] {
        expect_all_consumed(work.threads == 1 ? produce_and_consume<local_channel>(work)
                                              : produce_and_consume<concurrent_channel>(work));
    });
}

sample asio_await_ready(const step_work& work) {
    return run_task(1, asio_steps::call_until(work.seconds, &asio_steps::one));
}
sample asio_await_yield(const step_work& work) {
    return run_task(1, asio_steps::yield_until(work.seconds));
}
sample asio_await_yield_below(const step_work& work) {
    return run_task(1, asio_steps::call_until(work.seconds, &asio_steps::one_after_yield));
}
sample asio_await_yield_two_below(const step_work& work) {
    return run_task(1, asio_steps::call_until(work.seconds, &asio_steps::one_from_below));
}
sample asio_generator(const step_work& work) {
    return run_task(1, generate_until(work.seconds));
}

}  // namespace bench
