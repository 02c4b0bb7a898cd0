#include "sync/throughput.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/experimental/channel.hpp>
#include <boost/asio/experimental/concurrent_channel.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <exception>
#include <thread>

namespace bench {
namespace {

namespace asio = boost::asio;
using signature = void(boost::system::error_code, int);
using quick_token = asio::use_awaitable_t<asio::io_context::executor_type>;
using local_channel = asio::experimental::channel<asio::io_context::executor_type, signature>;
using concurrent_channel = asio::experimental::concurrent_channel<asio::io_context::executor_type, signature>;

void rethrow(std::exception_ptr error) {
    if (error)
        std::rethrow_exception(error);
}

template <class Channel>
asio::awaitable<void, asio::io_context::executor_type> send(Channel& channel, double seconds,
                                                            std::int64_t& sent) {
    const time_window window(seconds);
    for (; !window.is_over(); sent += throughput_batch)
        for (int value = 0; value < throughput_batch; ++value)
            co_await channel.async_send(boost::system::error_code(), value, quick_token());
    co_await channel.async_send(asio::error::eof, 0, quick_token());
}

template <class Channel>
asio::awaitable<void, asio::io_context::executor_type> receive(Channel& channel, std::int64_t& received) {
    try {
        for (;; ++received)
            co_await channel.async_receive(quick_token());
    } catch (const boost::system::system_error& error) {
        if (error.code() != asio::error::eof)
            throw;
    }
}

}  // namespace

sample asio_channel_on_one_thread(double seconds) {
    asio::io_context context(1);
    local_channel channel(context.get_executor(), throughput_capacity);
    std::int64_t sent = 0;
    std::int64_t received = 0;
    const stopwatch watch;
    asio::co_spawn(context, send(channel, seconds, sent), rethrow);
    asio::co_spawn(context, receive(channel, received), rethrow);
    context.run();
    return received_all(watch, received, sent);
}

sample asio_channel_across_threads(double seconds) {
    asio::io_context sender(1);
    asio::io_context receiver(1);
    concurrent_channel channel(sender.get_executor(), throughput_capacity);
    std::int64_t sent = 0;
    std::int64_t received = 0;
    const stopwatch watch;
    asio::co_spawn(sender, send(channel, seconds, sent), rethrow);
    asio::co_spawn(receiver, receive(channel, received), rethrow);
    std::thread other([&] { receiver.run(); });
    sender.run();
    other.join();
    return received_all(watch, received, sent);
}

}  // namespace bench
