#include "sockets/asio_sockets.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <deque>
#include <exception>
#include <vector>

namespace bench::asio_coroutines {
namespace {

namespace asio = boost::asio;

template <class T = void>
using awaitable = asio::awaitable<T, asio_executor>;

void begin(asio::io_context& context, awaitable<> task) {
    asio::co_spawn(context, std::move(task), [](const std::exception_ptr& error) {
        if (error)
            std::rethrow_exception(error);
    });
}

template <class Socket>
awaitable<> write_until(Socket& to, std::size_t buffer_bytes, const alarm_clock& alarm,
                        std::int64_t& written) {
    const std::vector<char> buffer(buffer_bytes, 'x');
    while (!alarm.has_rung())
        written +=
            static_cast<std::int64_t>(co_await to.async_write_some(asio::buffer(buffer), asio::deferred));
    to.shutdown(Socket::shutdown_send);
}

template <class Socket>
awaitable<> read_to_end(Socket& from, std::size_t buffer_bytes, std::int64_t& read) {
    std::vector<char> buffer(buffer_bytes);
    boost::system::error_code error;
    while (!error)
        read += static_cast<std::int64_t>(co_await from.async_read_some(
            asio::buffer(buffer), asio::redirect_error(asio::use_awaitable_t<asio_executor>(), error)));
}

// Each on a cache line of its own.
struct flow_totals {
    alignas(64) std::int64_t written = 0;
    alignas(64) std::int64_t read = 0;
};

template <class Socket>
sample run_flow(const flow_work& work) {
    asio::io_context context(static_cast<int>(work.threads));
    auto pairs = asio_pairs<Socket>(context, work.connections);
    std::deque<flow_totals> totals;
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    const auto flow_between = [&](Socket& from, Socket& to) {
        flow_totals& total = totals.emplace_back();
        begin(context, write_until(from, work.buffer_bytes, alarm, total.written));
        begin(context, read_to_end(to, work.buffer_bytes, total.read));
    };
    for (auto& [first, second] : pairs) {
        flow_between(first, second);
        if (work.is_both_ways)
            flow_between(second, first);
    }
    run_on_threads(context, work.threads);
    std::int64_t written = 0, read = 0;
    for (const flow_totals& total : totals)
        written += total.written, read += total.read;
    return flow_sample(watch, written, read);
}

template <class Socket>
awaitable<> rally(asio::io_context& context, std::size_t message_bytes, const alarm_clock& alarm,
                  lap_times& laps) {
    auto [client, server] = asio_pair<Socket>(context);
    std::vector<char> message(message_bytes);
    for (auto begun = lap_times::clock::now(); !alarm.has_rung(); laps.note(begun)) {
        co_await asio::async_write(client, asio::buffer(message), asio::deferred);
        co_await asio::async_read(server, asio::buffer(message), asio::deferred);
        co_await asio::async_write(server, asio::buffer(message), asio::deferred);
        co_await asio::async_read(client, asio::buffer(message), asio::deferred);
    }
}

awaitable<> connect(asio_tcp_socket& client, asio_tcp::endpoint to) {
    co_await client.async_connect(to, asio::deferred);
}

awaitable<> churn_loop(asio::io_context& context, const alarm_clock& alarm, std::int64_t& count) {
    asio_listening listener(context);
    char byte = 'X';
    for (; !alarm.has_rung(); ++count) {
        asio_tcp_socket client = asio_churn_socket(context);
        begin(context, connect(client, listener.at));
        asio_tcp_socket server = co_await listener.acceptor.async_accept(asio::deferred);
        co_await asio::async_write(client, asio::buffer(&byte, 1), asio::deferred);
        co_await asio::async_read(server, asio::buffer(&byte, 1), asio::deferred);
        client.close();
        server.close();
    }
}

awaitable<> burst_loop(asio::io_context& context, int connections, const alarm_clock& alarm,
                       std::int64_t& count) {
    asio_listening listener(context);
    std::vector<asio_tcp_socket> clients;
    std::vector<asio_tcp_socket> servers;
    clients.reserve(static_cast<std::size_t>(connections));
    for (; !alarm.has_rung(); count += connections) {
        for (int at = 0; at < connections; ++at) {
            clients.push_back(asio_churn_socket(context));
            begin(context, connect(clients.back(), listener.at));
        }
        for (int at = 0; at < connections; ++at)
            servers.push_back(co_await listener.acceptor.async_accept(asio::deferred));
        // The last connections have been established, but who connects may not have been told.
        co_await asio::post(asio::deferred);
        clients.clear();
        servers.clear();
    }
}

awaitable<> send_until(asio_udp_socket& by, std::size_t bytes, const alarm_clock& alarm, std::int64_t& sent,
                       const bool& has_ended) {
    const std::vector<char> datagram(bytes);
    for (; !alarm.has_rung(); ++sent)
        co_await by.async_send(asio::buffer(datagram), asio::deferred);
    while (!has_ended)
        co_await by.async_send(asio::buffer(datagram, 1), asio::deferred);
}

awaitable<> receive_all(asio_udp_socket& by, std::size_t bytes, std::int64_t& received, bool& has_ended) {
    std::vector<char> datagram(bytes);
    while (!has_ended) {
        const std::size_t size = co_await by.async_receive(asio::buffer(datagram), asio::deferred);
        size == bytes ? void(++received) : void(has_ended = true);
    }
}

awaitable<> pipe_loop(asio::io_context& context, const alarm_clock& alarm, std::int64_t& count) {
    const auto [reading, writing] = pipe_pair();
    asio_readable_pipe reader(context, reading);
    asio_writable_pipe writer(context, writing);
    std::vector<char> bytes(pipe_work::bytes);
    for (; !alarm.has_rung(); ++count) {
        expect_bytes(bytes.size(), co_await writer.async_write_some(asio::buffer(bytes), asio::deferred));
        expect_bytes(bytes.size(), co_await reader.async_read_some(asio::buffer(bytes), asio::deferred));
    }
}

}  // namespace

sample flow(const flow_work& work) {
    return work.over == transport::tcp ? run_flow<asio_tcp_socket>(work) : run_flow<asio_local_socket>(work);
}

template <class Socket>
static sample run_ping_pong(const ping_pong_work& work) {
    asio::io_context context(1);
    lap_times laps;
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    for (int pair = 0; pair < work.pairs; ++pair)
        begin(context, rally<Socket>(context, work.message_bytes, alarm, laps));
    context.run();
    return laps.stop(watch);
}

sample ping_pong(const ping_pong_work& work) {
    return work.over == transport::tcp ? run_ping_pong<asio_tcp_socket>(work)
                                       : run_ping_pong<asio_local_socket>(work);
}

sample churn(const churn_work& work) {
    asio::io_context context(1);
    std::int64_t count = 0;
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    for (int loop = 0; loop < work.loops; ++loop)
        begin(context, churn_loop(context, alarm, count));
    context.run();
    return watch.stop(count);
}

sample burst(const burst_work& work) {
    asio::io_context context(1);
    std::int64_t count = 0;
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    begin(context, burst_loop(context, work.connections, alarm, count));
    context.run();
    return watch.stop(count);
}

sample datagrams(const datagram_work& work) {
    asio::io_context context(1);
    auto [from, to] = asio_pair<asio_udp_socket>(context);
    std::int64_t sent = 0, received = 0;
    bool has_ended = false;
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    begin(context, receive_all(to, work.datagram_bytes, received, has_ended));
    begin(context, send_until(from, work.datagram_bytes, alarm, sent, has_ended));
    context.run();
    return datagram_sample(watch, sent, received);
}

sample pipe(const pipe_work& work) {
    asio::io_context context(1);
    std::int64_t count = 0;
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    begin(context, pipe_loop(context, alarm, count));
    context.run();
    return watch.stop(count);
}

}  // namespace bench::asio_coroutines
