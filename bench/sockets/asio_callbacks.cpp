#include "sockets/asio_sockets.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include <deque>
#include <optional>
#include <vector>

namespace bench::asio_callbacks {
namespace {

namespace asio = boost::asio;
using error_code = boost::system::error_code;

// -- flows --

template <class Socket>
class writer {
public:
    writer(Socket& to, std::size_t buffer_bytes, const alarm_clock& alarm)
        : to_(to), buffer_(buffer_bytes, 'x'), alarm_(alarm) {}

    void go_on() {
        if (alarm_.has_rung())
            return to_.shutdown(Socket::shutdown_send);
        to_.async_write_some(asio::buffer(buffer_), [this](const error_code& error, std::size_t count) {
            check(error);
            total += static_cast<std::int64_t>(count);
            go_on();
        });
    }

    std::int64_t total = 0;

private:
    Socket& to_;
    std::vector<char> buffer_;
    const alarm_clock& alarm_;
};

template <class Socket>
class reader {
public:
    reader(Socket& from, std::size_t buffer_bytes) : from_(from), buffer_(buffer_bytes) {}

    void go_on() {
        from_.async_read_some(asio::buffer(buffer_), [this](const error_code& error, std::size_t count) {
            total += static_cast<std::int64_t>(count);
            if (!error)
                go_on();
        });
    }

    std::int64_t total = 0;

private:
    Socket& from_;
    std::vector<char> buffer_;
};

template <class Socket>
sample run_flow(const flow_work& work) {
    asio::io_context context(static_cast<int>(work.threads));
    auto pairs = asio_pairs<Socket>(context, work.connections);
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    std::deque<writer<Socket>> writing;
    std::deque<reader<Socket>> reading;
    const auto flow_between = [&](Socket& from, Socket& to) {
        writing.emplace_back(from, work.buffer_bytes, alarm).go_on();
        reading.emplace_back(to, work.buffer_bytes).go_on();
    };
    for (auto& [first, second] : pairs) {
        flow_between(first, second);
        if (work.is_both_ways)
            flow_between(second, first);
    }
    run_on_threads(context, work.threads);
    std::int64_t written = 0, read = 0;
    for (const writer<Socket>& one : writing)
        written += one.total;
    for (const reader<Socket>& one : reading)
        read += one.total;
    return flow_sample(watch, written, read);
}

// -- ping-pong --

template <class Socket>
class rally {
public:
    rally(asio::io_context& context, std::size_t message_bytes, const alarm_clock& alarm, lap_times& laps)
        : ends_(asio_pair<Socket>(context)), message_(message_bytes), alarm_(alarm), laps_(laps) {}

    void go_on() {
        if (alarm_.has_rung())
            return;
        send(ends_.first, ends_.second, [this] {
            send(ends_.second, ends_.first, [this] {
                laps_.note(begun_);
                go_on();
            });
        });
    }

private:
    template <class Then>
    void send(Socket& from, Socket& to, Then then) {
        asio::async_write(
            from, asio::buffer(message_), [this, &to, then](const error_code& error, std::size_t) {
                check(error);
                asio::async_read(to, asio::buffer(message_), [then](const error_code& failed, std::size_t) {
                    check(failed);
                    then();
                });
            });
    }

    std::pair<Socket, Socket> ends_;
    std::vector<char> message_;
    const alarm_clock& alarm_;
    lap_times& laps_;
    lap_times::clock::time_point begun_ = lap_times::clock::now();
};

// -- churn --

class churn_loop {
public:
    churn_loop(asio::io_context& context, const alarm_clock& alarm, std::int64_t& count)
        : context_(context), listener_(context), alarm_(alarm), count_(count) {}

    void go_on() {
        if (alarm_.has_rung())
            return;
        client_.emplace(asio_churn_socket(context_));
        client_->async_connect(listener_.at, &check);
        listener_.acceptor.async_accept([this](const error_code& error, asio_tcp_socket accepted) {
            check(error);
            server_.emplace(std::move(accepted));
            send();
        });
    }

private:
    void send() {
        asio::async_write(*client_, asio::buffer(&byte_, 1), [this](const error_code& error, std::size_t) {
            check(error);
            asio::async_read(*server_, asio::buffer(&byte_, 1),
                             [this](const error_code& failed, std::size_t) {
                                 check(failed);
                                 client_->close();
                                 server_->close();
                                 ++count_;
                                 go_on();
                             });
        });
    }

    asio::io_context& context_;
    asio_listening listener_;
    const alarm_clock& alarm_;
    std::int64_t& count_;
    std::optional<asio_tcp_socket> client_;
    std::optional<asio_tcp_socket> server_;
    char byte_ = 'X';
};

class burst_loop {
public:
    burst_loop(asio::io_context& context, std::size_t connections, const alarm_clock& alarm,
               std::int64_t& count)
        : context_(context), listener_(context), connections_(connections), alarm_(alarm), count_(count) {
        clients_.reserve(connections);
    }

    void go_on() {
        if (alarm_.has_rung())
            return;
        for (std::size_t at = 0; at < connections_; ++at) {
            clients_.push_back(asio_churn_socket(context_));
            clients_.back().async_connect(listener_.at, &check);
        }
        accept();
    }

private:
    void accept() {
        listener_.acceptor.async_accept([this](const error_code& error, asio_tcp_socket accepted) {
            check(error);
            servers_.push_back(std::move(accepted));
            if (servers_.size() < connections_)
                return accept();
            // The last connections have been established, but who connects may not have been told.
            asio::post(context_, [this] { close(); });
        });
    }
    void close() {
        clients_.clear();
        servers_.clear();
        count_ += static_cast<std::int64_t>(connections_);
        go_on();
    }

    asio::io_context& context_;
    asio_listening listener_;
    std::size_t connections_;
    const alarm_clock& alarm_;
    std::int64_t& count_;
    std::vector<asio_tcp_socket> clients_;
    std::vector<asio_tcp_socket> servers_;
};

// -- datagrams --

class datagram_exchange {
public:
    datagram_exchange(asio::io_context& context, std::size_t bytes, const alarm_clock& alarm)
        : ends_(asio_pair<asio_udp_socket>(context)), sent_(bytes), received_(bytes), alarm_(alarm) {}

    void receive() {
        ends_.second.async_receive(asio::buffer(received_),
                                   [this](const error_code& error, std::size_t count) {
                                       check(error);
                                       if (count != received_.size()) {
                                           has_ended_ = true;
                                           return;
                                       }
                                       ++received;
                                       receive();
                                   });
    }
    void send() {
        if (has_ended_)
            return;
        const bool is_end = alarm_.has_rung();
        ends_.first.async_send(asio::buffer(sent_.data(), is_end ? 1 : sent_.size()),
                               [this, is_end](const error_code& error, std::size_t) {
                                   check(error);
                                   sent += is_end ? 0 : 1;
                                   send();
                               });
    }

    std::int64_t sent = 0;
    std::int64_t received = 0;

private:
    std::pair<asio_udp_socket, asio_udp_socket> ends_;
    std::vector<char> sent_;
    std::vector<char> received_;
    const alarm_clock& alarm_;
    bool has_ended_ = false;
};

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
    std::deque<rally<Socket>> rallies;
    for (int pair = 0; pair < work.pairs; ++pair)
        rallies.emplace_back(context, work.message_bytes, alarm, laps).go_on();
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
    std::deque<churn_loop> loops;
    for (int loop = 0; loop < work.loops; ++loop)
        loops.emplace_back(context, alarm, count).go_on();
    context.run();
    return watch.stop(count);
}

sample burst(const burst_work& work) {
    asio::io_context context(1);
    std::int64_t count = 0;
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    burst_loop loop(context, static_cast<std::size_t>(work.connections), alarm, count);
    loop.go_on();
    context.run();
    return watch.stop(count);
}

sample datagrams(const datagram_work& work) {
    asio::io_context context(1);
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    datagram_exchange exchange(context, work.datagram_bytes, alarm);
    exchange.receive();
    exchange.send();
    context.run();
    return datagram_sample(watch, exchange.sent, exchange.received);
}

sample pipe(const pipe_work& work) {
    asio::io_context context(1);
    const auto [reading, writing] = pipe_pair();
    asio_readable_pipe reader(context, reading);
    asio_writable_pipe writer(context, writing);
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    asio_pair_loop loop(writer, reader, alarm);
    loop.go_on();
    context.run();
    return watch.stop(loop.count);
}

}  // namespace bench::asio_callbacks
