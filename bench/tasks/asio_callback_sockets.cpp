#include "sockets/asio_sockets.hpp"
#include "tasks/works.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <deque>
#include <span>
#include <thread>
#include <vector>

namespace bench {
namespace {

namespace asio = boost::asio;
using error_code = boost::system::error_code;

// -- fan-out --

class echo_server {
public:
    explicit echo_server(asio_tcp_socket socket) : socket_(std::move(socket)) {}

    void go_on() {
        socket_.async_read_some(asio::buffer(message_), [this](const error_code& error, std::size_t count) {
            check(error);
            asio::async_write(socket_, asio::buffer(message_, count),
                              [this](const error_code& failed, std::size_t) {
                                  check(failed);
                                  go_on();
                              });
        });
    }

private:
    asio_tcp_socket socket_;
    std::array<char, fan_out_work::message_bytes> message_;
};

// Calls a function, which may expect some again, once so many have arrived.
template <class Then>
class join {
public:
    explicit join(Then then) : then_(then) {}

    void expect(std::size_t count) { left_ = count; }
    void arrive() {
        if (--left_ == 0)
            then_();
    }

private:
    Then then_;
    std::size_t left_ = 0;
};

// The client's end of a connection. Its sub-request calls `then` when it has ended.
class client_end {
public:
    explicit client_end(asio_tcp_socket socket) : socket_(std::move(socket)) {}

    template <class Joined>
    void begin(Joined& joined) {
        asio::async_write(socket_, asio::buffer(message_.next()),
                          [this, &joined](const error_code& error, std::size_t) {
                              check(error);
                              asio::async_read(socket_, asio::buffer(message_.reply()),
                                               [this, &joined](const error_code& failed, std::size_t) {
                                                   check(failed);
                                                   message_.check();
                                                   joined.arrive();
                                               });
                          });
    }

private:
    asio_tcp_socket socket_;
    echoed_message message_;
};
using client_ends = std::span<client_end>;

class parent {
    struct ended {
        parent* owner;
        void operator()() const { owner->end_round(); }
    };
    struct group_ended {
        parent* owner;
        void operator()() const { owner->joined_.arrive(); }
    };

public:
    parent(asio::io_context& context, client_ends clients, std::size_t groups, const alarm_clock& alarm,
           lap_times& laps, std::size_t& running)
        : context_(context),
          clients_(clients),
          alarm_(alarm),
          laps_(laps),
          running_(running),
          joined_(ended(this)),
          groups_(groups == 1 ? 0 : groups, join<group_ended>(group_ended(this))) {}

    void go_on() {
        if (alarm_.has_rung()) {
            if (--running_ == 0)
                context_.stop();
            return;
        }
        if (groups_.empty())
            return begin_all(clients_, joined_);
        joined_.expect(groups_.size());
        const std::size_t share = clients_.size() / groups_.size();
        for (std::size_t at = 0; at < groups_.size(); ++at)
            begin_all(clients_.subspan(at * share, share), groups_[at]);
    }

private:
    template <class Joined>
    static void begin_all(client_ends clients, Joined& joined) {
        joined.expect(clients.size());
        for (client_end& client : clients)
            client.begin(joined);
    }
    void end_round() {
        laps_.note(begun_);
        go_on();
    }

    asio::io_context& context_;
    client_ends clients_;
    const alarm_clock& alarm_;
    lap_times& laps_;
    std::size_t& running_;
    join<ended> joined_;
    std::vector<join<group_ended>> groups_;
    lap_times::clock::time_point begun_ = lap_times::clock::now();
};

// -- requests --

class served_connection {
public:
    served_connection(asio_tcp_socket socket, std::int64_t& served)
        : socket_(std::move(socket)), served_(served) {}

    void go_on() {
        socket_.async_read_some(asio::buffer(buffer_), [this](const error_code& error, std::size_t count) {
            if (error == asio::error::eof)
                return;
            check(error);
            expect_bytes(request_text.size(), count);
            asio::async_write(socket_, asio::buffer(reply_text),
                              [this](const error_code& failed, std::size_t) {
                                  check(failed);
                                  ++served_;
                                  go_on();
                              });
        });
    }

private:
    asio_tcp_socket socket_;
    std::int64_t& served_;
    std::array<char, 4096> buffer_;
};

class request_server {
public:
    explicit request_server(asio::io_context& context) : listener_(context) {}

    void accept() {
        if (connections_.size() == request_work::connections)
            return;
        listener_.acceptor.async_accept([this](const error_code& error, asio_tcp_socket accepted) {
            check(error);
            connections_.emplace_back(std::move(accepted), served).go_on();
            accept();
        });
    }
    asio_tcp::endpoint at() const { return listener_.at; }

    std::int64_t served = 0;

private:
    asio_listening listener_;
    std::deque<served_connection> connections_;
};

class client {
public:
    client(asio::io_context& context, const alarm_clock& alarm, lap_times& laps)
        : socket_(context), alarm_(alarm), laps_(laps) {}

    void begin(asio_tcp::endpoint server) {
        socket_.async_connect(server, [this](const error_code& error) {
            check(error);
            begun_ = lap_times::clock::now();
            go_on();
        });
    }

private:
    void go_on() {
        if (alarm_.has_rung())
            return socket_.shutdown(asio_tcp_socket::shutdown_send);
        asio::async_write(socket_, asio::buffer(request_text), [this](const error_code& error, std::size_t) {
            check(error);
            socket_.async_read_some(asio::buffer(buffer_),
                                    [this](const error_code& failed, std::size_t count) {
                                        check(failed);
                                        expect_bytes(reply_text.size(), count);
                                        laps_.note(begun_);
                                        go_on();
                                    });
        });
    }

    asio_tcp_socket socket_;
    const alarm_clock& alarm_;
    lap_times& laps_;
    std::array<char, 4096> buffer_;
    lap_times::clock::time_point begun_;
};

}  // namespace

sample asio_callback_fan_out(const fan_out_work& work) {
    asio::io_context context(1);
    std::vector<client_end> clients;
    std::deque<echo_server> servers;
    clients.reserve(work.connections());
    for (std::size_t at = 0; at < work.connections(); ++at) {
        auto [client, server] = asio_pair<asio_tcp_socket>(context);
        clients.emplace_back(std::move(client));
        servers.emplace_back(std::move(server)).go_on();
    }
    lap_times laps;
    std::size_t running = work.parents;
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    std::deque<parent> parents;
    for (std::size_t at = 0; at < work.parents; ++at)
        parents
            .emplace_back(context, client_ends(clients).subspan(at * work.per_parent(), work.per_parent()),
                          work.groups, alarm, laps, running)
            .go_on();
    context.run();
    return laps.stop(watch);
}

sample asio_callback_requests(const request_work& work) {
    asio::io_context own(1);
    asio::io_context other(1);
    request_server server(work.threads == 1 ? own : other);
    lap_times laps;
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    server.accept();
    std::deque<client> clients;
    for (std::size_t at = 0; at < request_work::connections; ++at)
        clients.emplace_back(own, alarm, laps).begin(server.at());
    std::thread serving([&] { other.run(); });
    own.run();
    serving.join();
    expect_value(static_cast<std::uint64_t>(laps.total()), static_cast<std::uint64_t>(server.served));
    return laps.stop(watch);
}

sample asio_callback_socket_pair(const step_work& work) {
    asio::io_context context(1);
    auto [writer, reader] = asio_pair<asio_local_socket>(context);
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    asio_pair_loop loop(writer, reader, alarm);
    loop.go_on();
    context.run();
    return watch.stop(loop.count);
}

}  // namespace bench
