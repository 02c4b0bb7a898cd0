#include "tasks/asio_awaitable.hpp"
#include "tasks/asio_tasks.hpp"
#include "tasks/checks.hpp"

#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/channel.hpp>
#include <boost/asio/experimental/concurrent_channel.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <atomic>
#include <deque>

namespace bench {
namespace {

namespace asio = boost::asio;
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

}  // namespace

sample asio_channel(const channel_work& work) {
    return repeat_runs(work.seconds, channel_work::items, [&] {
        expect_all_consumed(work.threads == 1 ? produce_and_consume<local_channel>(work)
                                              : produce_and_consume<concurrent_channel>(work));
    });
}

}  // namespace bench
