#include "tasks/asio_awaitable.hpp"
#include "tasks/works.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <deque>
#include <span>
#include <thread>
#include <vector>

namespace bench {
namespace {

namespace asio = boost::asio;
using waitable = asio::basic_waitable_timer<std::chrono::steady_clock,
                                            asio::wait_traits<std::chrono::steady_clock>, asio_executor>;

// -- fan-out --

struct client_end {
    asio_tcp_socket socket;
    echoed_message message;
};
using client_ends = std::span<client_end>;

// Waits until so many have arrived: a timer that never expires and is cancelled by the last one.
class join {
public:
    join(asio::io_context& context) : timer_(context, waitable::time_point::max()) {}

    void expect(std::size_t count) { left_ = count; }
    void arrive() {
        if (--left_ == 0)
            timer_.cancel();
    }
    asio_awaitable<> wait() {
        while (left_ != 0)
            co_await timer_.async_wait(asio::as_tuple(asio::deferred));
    }

private:
    std::size_t left_ = 0;
    waitable timer_;
};

asio_awaitable<> echo(asio_tcp_socket& served) {
    std::array<char, fan_out_work::message_bytes> message;
    for (;;) {
        const std::size_t count = co_await served.async_read_some(asio::buffer(message), asio::deferred);
        co_await asio::async_write(served, asio::buffer(message, count), asio::deferred);
    }
}

asio_awaitable<> sub_request(client_end& client, join& joined) {
    co_await asio::async_write(client.socket, asio::buffer(client.message.next()), asio::deferred);
    co_await asio::async_read(client.socket, asio::buffer(client.message.reply()), asio::deferred);
    client.message.check();
    joined.arrive();
}

asio_awaitable<> group(asio::io_context& context, client_ends clients, join& joined) {
    join own(context);
    own.expect(clients.size());
    for (client_end& client : clients)
        begin(context, sub_request(client, own));
    co_await own.wait();
    joined.arrive();
}

asio_awaitable<> parent(asio::io_context& context, client_ends clients, std::size_t groups,
                        const alarm_clock& alarm, lap_times& laps, std::size_t& running) {
    join own(context);
    const std::size_t share = clients.size() / groups;
    for (auto begun = lap_times::clock::now(); !alarm.has_rung(); laps.note(begun)) {
        own.expect(groups == 1 ? clients.size() : groups);
        if (groups == 1)
            for (client_end& client : clients)
                begin(context, sub_request(client, own));
        else
            for (std::size_t at = 0; at < groups; ++at)
                begin(context, group(context, clients.subspan(at * share, share), own));
        co_await own.wait();
    }
    if (--running == 0)
        context.stop();
}

// -- requests --

asio_awaitable<> serve_connection(asio_tcp_socket client, std::int64_t& served) {
    std::array<char, 4096> buffer;
    boost::system::error_code error;
    for (;;) {
        const std::size_t count = co_await client.async_read_some(
            asio::buffer(buffer), asio::redirect_error(asio::use_awaitable_t<asio_executor>(), error));
        if (error == asio::error::eof)
            co_return;
        expect_bytes(request_text.size(), count);
        co_await asio::async_write(client, asio::buffer(reply_text), asio::deferred);
        ++served;
    }
}

asio_awaitable<> serve(asio::io_context& context, asio_tcp_acceptor& acceptor, std::int64_t& served) {
    for (std::size_t at = 0; at < request_work::connections; ++at)
        begin(context, serve_connection(co_await acceptor.async_accept(asio::deferred), served));
}

asio_awaitable<> ask(asio::io_context& context, asio_tcp::endpoint server, const alarm_clock& alarm,
                     lap_times& laps) {
    asio_tcp_socket socket(context);
    co_await socket.async_connect(server, asio::deferred);
    std::array<char, 4096> buffer;
    for (auto begun = lap_times::clock::now(); !alarm.has_rung(); laps.note(begun)) {
        co_await asio::async_write(socket, asio::buffer(request_text), asio::deferred);
        expect_bytes(reply_text.size(),
                     co_await socket.async_read_some(asio::buffer(buffer), asio::deferred));
    }
    socket.shutdown(asio_tcp_socket::shutdown_send);
}

asio_awaitable<> write_and_read(asio::io_context& context, const alarm_clock& alarm, std::int64_t& count) {
    auto [writer, reader] = asio_pair<asio_local_socket>(context);
    std::vector<char> bytes(pipe_work::bytes);
    for (; !alarm.has_rung(); ++count) {
        expect_bytes(bytes.size(), co_await writer.async_write_some(asio::buffer(bytes), asio::deferred));
        expect_bytes(bytes.size(), co_await reader.async_read_some(asio::buffer(bytes), asio::deferred));
    }
}

}  // namespace

sample asio_coroutine_fan_out(const fan_out_work& work) {
    asio::io_context context(1);
    std::vector<client_end> clients;
    std::deque<asio_tcp_socket> servers;
    clients.reserve(work.connections());
    for (std::size_t at = 0; at < work.connections(); ++at) {
        auto [client, server] = asio_pair<asio_tcp_socket>(context);
        clients.emplace_back(std::move(client), echoed_message());
        begin(context, echo(servers.emplace_back(std::move(server))));
    }
    lap_times laps;
    std::size_t running = work.parents;
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    for (std::size_t at = 0; at < work.parents; ++at)
        begin(context,
              parent(context, client_ends(clients).subspan(at * work.per_parent(), work.per_parent()),
                     work.groups, alarm, laps, running));
    context.run();
    return laps.stop(watch);
}

sample asio_coroutine_requests(const request_work& work) {
    asio::io_context clients(1);
    asio::io_context other(1);
    asio::io_context& server = work.threads == 1 ? clients : other;
    asio_listening listener(server);
    lap_times laps;
    std::int64_t served = 0;
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    begin(server, serve(server, listener.acceptor, served));
    for (std::size_t at = 0; at < request_work::connections; ++at)
        begin(clients, ask(clients, listener.at, alarm, laps));
    std::thread serving([&] { other.run(); });
    clients.run();
    serving.join();
    expect_value(static_cast<std::uint64_t>(laps.total()), static_cast<std::uint64_t>(served));
    return laps.stop(watch);
}

sample asio_coroutine_socket_pair(const step_work& work) {
    asio::io_context context(1);
    std::int64_t count = 0;
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    begin(context, write_and_read(context, alarm, count));
    context.run();
    return watch.stop(count);
}

}  // namespace bench
