#include "sockets/connections.hpp"

#include <eddy/eddy.hpp>

#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <utility>
#include <vector>

namespace bench::eddy_sockets {
namespace {

using bytes_view = std::span<const std::byte>;

eddy::runtime_options on(eddy::backend_kind kind) {
    return eddy::runtime_options().workers(1).backend(kind);
}

// -- flows --

template <class Stream>
eddy::task<std::int64_t> write_until(Stream& to, std::size_t buffer_bytes, const alarm_clock& alarm) {
    const std::vector<std::byte> buffer(buffer_bytes);
    std::int64_t total = 0;
    while (!alarm.has_rung())
        total += static_cast<std::int64_t>(co_await to.write(buffer));
    co_await to.shutdown();
    co_return total;
}

template <class Stream>
eddy::task<std::int64_t> read_to_end(Stream& from, std::size_t buffer_bytes) {
    std::vector<std::byte> buffer(buffer_bytes);
    std::int64_t total = 0;
    while (const std::size_t count = co_await from.read(buffer))
        total += static_cast<std::int64_t>(count);
    co_return total;
}

using descriptor_pairs = std::vector<std::pair<int, int>>;

struct flow_totals {
    std::int64_t written = 0;
    std::int64_t read = 0;
};

// One worker's share of the connections: every so many, from its own number on.
template <class Stream>
eddy::task<flow_totals> run_share(std::size_t worker, const flow_work& work, const descriptor_pairs& pairs,
                                  const alarm_clock& alarm) {
    std::deque<Stream> streams;
    std::vector<eddy::handle<std::int64_t>> reading, writing;
    const auto flow_between = [&](Stream& from, Stream& to) {
        reading.push_back(eddy::spawn(read_to_end(to, work.buffer_bytes)));
        writing.push_back(eddy::spawn(write_until(from, work.buffer_bytes, alarm)));
    };
    for (std::size_t at = worker; at < pairs.size(); at += work.threads) {
        Stream& first = streams.emplace_back(pairs[at].first);
        Stream& second = streams.emplace_back(pairs[at].second);
        flow_between(first, second);
        if (work.is_both_ways)
            flow_between(second, first);
    }
    flow_totals totals;
    for (auto& one : writing)
        totals.written += co_await one;
    for (auto& one : reading)
        totals.read += co_await one;
    co_return totals;
}

template <class Stream>
eddy::task<sample> run_flow(const flow_work& work) {
    const descriptor_pairs pairs = connected_pairs(work.over, work.connections);
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    auto shares = eddy::runtime::current().run_on_each(
        [&](std::size_t worker) { return run_share<Stream>(worker, work, pairs, alarm); });
    flow_totals all;
    for (auto& share : shares) {
        const flow_totals totals = co_await share;
        all.written += totals.written;
        all.read += totals.read;
    }
    co_return flow_sample(watch, all.written, all.read);
}

// -- ping-pong --

template <class Stream>
eddy::task<> read_whole(Stream& from, std::span<std::byte> message) {
    while (!message.empty()) {
        const std::size_t count = co_await from.read(message);
        if (count == 0)
            throw failure("the connection has ended");
        message = message.subspan(count);
    }
}

template <class Stream>
eddy::task<> rally(const ping_pong_work& work, const alarm_clock& alarm, lap_times& laps) {
    const auto [one, other] = connected_pair(work.over);
    Stream client(one);
    Stream server(other);
    std::vector<std::byte> message(work.message_bytes);
    for (auto begun = lap_times::clock::now(); !alarm.has_rung(); laps.note(begun)) {
        co_await client.write_all(message);
        co_await read_whole(server, message);
        co_await server.write_all(message);
        co_await read_whole(client, message);
    }
}

template <class Stream>
eddy::task<sample> run_ping_pong(const ping_pong_work& work) {
    lap_times laps;
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    std::vector<eddy::handle<>> rallies;
    for (int pair = 0; pair < work.pairs; ++pair)
        rallies.push_back(eddy::spawn(rally<Stream>(work, alarm, laps)));
    for (eddy::handle<>& one : rallies)
        co_await one;
    co_return laps.stop(watch);
}

// -- churn --

eddy::tcp_listener listen() {
    return eddy::tcp_listener::bind(eddy::endpoint::loopback_ipv4(0));
}

eddy::task<> churn_loop(const alarm_clock& alarm, std::int64_t& count) {
    eddy::tcp_listener listener = listen();
    const eddy::endpoint to = listener.local_endpoint();
    const std::array sent{std::byte{'X'}};
    std::array received{std::byte{0}};
    for (; !alarm.has_rung(); ++count) {
        auto connecting = eddy::spawn(eddy::tcp_stream::connect(to));
        eddy::tcp_stream server = co_await listener.accept();
        eddy::tcp_stream client = co_await connecting;
        client.set_option(eddy::io::socket_option::linger_s, 0);
        co_await client.write_all(sent);
        const std::size_t arrived = co_await server.read(received);
        expect_bytes(sent.size(), arrived);
    }
}

eddy::task<sample> run_churn(const churn_work& work) {
    std::int64_t count = 0;
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    std::vector<eddy::handle<>> loops;
    for (int loop = 0; loop < work.loops; ++loop)
        loops.push_back(eddy::spawn(churn_loop(alarm, count)));
    for (eddy::handle<>& one : loops)
        co_await one;
    co_return watch.stop(count);
}

eddy::task<sample> run_burst(const burst_work& work) {
    eddy::tcp_listener listener = listen();
    const eddy::endpoint to = listener.local_endpoint();
    std::vector<eddy::handle<eddy::tcp_stream>> connecting;
    std::vector<eddy::tcp_stream> connected;
    std::int64_t count = 0;
    const stopwatch watch;
    for (const alarm_clock alarm(work.seconds); !alarm.has_rung(); count += work.connections) {
        for (int at = 0; at < work.connections; ++at)
            connecting.push_back(eddy::spawn(eddy::tcp_stream::connect(to)));
        for (int at = 0; at < work.connections; ++at)
            connected.push_back(co_await listener.accept());
        for (auto& one : connecting) {
            eddy::tcp_stream client = co_await one;
            client.set_option(eddy::io::socket_option::linger_s, 0);
        }
        connecting.clear();
        connected.clear();
    }
    co_return watch.stop(count);
}

// -- datagrams --

struct datagram_counts {
    std::int64_t sent = 0;
    std::int64_t received = 0;
    bool has_ended = false;
};

// A datagram of another size says that it is over; it may get lost like any other.
eddy::task<> say_end(eddy::udp_socket& by, datagram_counts& counts) {
    const std::array end{std::byte{0}};
    while (!counts.has_ended) {
        co_await by.send(end);
        co_await eddy::yield();
    }
}

eddy::task<> send_until(eddy::udp_socket& by, std::size_t bytes, const alarm_clock& alarm,
                        datagram_counts& counts) {
    const std::vector<std::byte> datagram(bytes);
    for (; !alarm.has_rung(); ++counts.sent)
        co_await by.send(datagram);
    co_await say_end(by, counts);
}

eddy::task<> receive_all(eddy::udp_socket& by, std::size_t bytes, datagram_counts& counts) {
    std::vector<std::byte> datagram(bytes);
    while (!counts.has_ended) {
        const std::size_t size = co_await by.receive(datagram);
        size == bytes ? void(++counts.received) : void(counts.has_ended = true);
    }
}

eddy::task<> send_batches_until(eddy::udp_socket& by, std::size_t bytes, const alarm_clock& alarm,
                                datagram_counts& counts) {
    const std::vector<std::byte> datagram(bytes);
    const std::vector<eddy::outgoing_datagram> batch(datagram_batch_size,
                                                     eddy::outgoing_datagram(bytes_view(datagram)));
    for (; !alarm.has_rung(); counts.sent += datagram_batch_size)
        co_await by.send_batch(batch);
    co_await say_end(by, counts);
}

eddy::task<> receive_batches(eddy::udp_socket& by, std::size_t bytes, datagram_counts& counts) {
    eddy::datagram_batch batch(datagram_batch_size, bytes);
    while (!counts.has_ended) {
        const std::size_t count = co_await by.receive_batch(batch);
        for (std::size_t at = 0; at < count; ++at)
            batch.bytes(at).size() == bytes ? void(++counts.received) : void(counts.has_ended = true);
    }
}

eddy::task<sample> run_datagrams(const datagram_work& work, bool in_batches) {
    eddy::udp_socket to = eddy::udp_socket::bind(eddy::endpoint::loopback_ipv4(0));
    eddy::udp_socket from = eddy::udp_socket::connected_to(to.local_endpoint());
    to.connect(from.local_endpoint());
    datagram_counts counts;
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    auto receiving = eddy::spawn(in_batches ? receive_batches(to, work.datagram_bytes, counts)
                                            : receive_all(to, work.datagram_bytes, counts));
    auto sending = eddy::spawn(in_batches ? send_batches_until(from, work.datagram_bytes, alarm, counts)
                                          : send_until(from, work.datagram_bytes, alarm, counts));
    co_await sending;
    co_await receiving;
    co_return datagram_sample(watch, counts.sent, counts.received);
}

// -- pipes --

eddy::task<sample> run_pipe(const pipe_work& work) {
    eddy::pipe_ends ends = eddy::pipe();
    std::array<std::byte, pipe_work::bytes> bytes{};
    std::int64_t count = 0;
    const stopwatch watch;
    for (const alarm_clock alarm(work.seconds); !alarm.has_rung(); ++count) {
        const std::size_t written = co_await ends.writer.write(bytes);
        expect_bytes(bytes.size(), written);
        const std::size_t read = co_await ends.reader.read(bytes);
        expect_bytes(bytes.size(), read);
    }
    co_return watch.stop(count);
}

}  // namespace

sample flow(eddy::backend_kind backend, const flow_work& work) {
    const auto options = on(backend).workers(work.threads);
    return work.over == transport::tcp ? eddy::run(run_flow<eddy::tcp_stream>(work), options)
                                       : eddy::run(run_flow<eddy::local_stream>(work), options);
}
sample ping_pong(eddy::backend_kind backend, const ping_pong_work& work) {
    return work.over == transport::tcp ? eddy::run(run_ping_pong<eddy::tcp_stream>(work), on(backend))
                                       : eddy::run(run_ping_pong<eddy::local_stream>(work), on(backend));
}
sample churn(eddy::backend_kind backend, const churn_work& work) {
    return eddy::run(run_churn(work), on(backend));
}
sample burst(eddy::backend_kind backend, const burst_work& work) {
    return eddy::run(run_burst(work), on(backend));
}
sample datagrams(eddy::backend_kind backend, const datagram_work& work) {
    return eddy::run(run_datagrams(work, false), on(backend));
}
sample datagram_batches(eddy::backend_kind backend, const datagram_work& work) {
    return eddy::run(run_datagrams(work, true), on(backend));
}
sample pipe(eddy::backend_kind backend, const pipe_work& work) {
    return eddy::run(run_pipe(work), on(backend));
}

}  // namespace bench::eddy_sockets
