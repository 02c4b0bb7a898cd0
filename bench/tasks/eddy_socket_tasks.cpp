// Tasks of eddy over sockets.
#include "sockets/connections.hpp"
#include "tasks/works.hpp"

#include <eddy/eddy.hpp>
#include <eddy/sync/channel.hpp>

#include <array>
#include <deque>
#include <span>
#include <vector>

namespace bench {
namespace {

template <class Stream>
eddy::task<> read_whole(Stream& from, std::span<char> message) {
    auto left = std::as_writable_bytes(message);
    while (!left.empty()) {
        const std::size_t count = co_await from.read(left);
        if (count == 0)
            throw failure("the connection has ended");
        left = left.subspan(count);
    }
}

eddy::task<> echo(eddy::tcp_stream& served) {
    std::array<std::byte, fan_out_work::message_bytes> message;
    while (const std::size_t count = co_await served.read(message))
        co_await served.write_all(std::span(message).first(count));
}

// The client's end of a connection, and what goes through it.
struct client_end {
    eddy::tcp_stream stream;
    echoed_message message;
};
using client_ends = std::span<client_end>;

eddy::task<> sub_request(client_end& client) {
    co_await client.stream.write_all(std::as_bytes(std::span(client.message.next())));
    co_await read_whole(client.stream, std::span<char>(client.message.reply()));
    client.message.check();
}

eddy::task<> fork_join(client_ends clients) {
    std::vector<eddy::task<>> children;
    children.reserve(clients.size());
    for (client_end& client : clients)
        children.push_back(sub_request(client));
    co_await eddy::when_all(children);
}

eddy::task<> fork_join_groups(client_ends clients, std::size_t groups) {
    const std::size_t share = clients.size() / groups;
    std::vector<eddy::task<>> children;
    children.reserve(groups);
    for (std::size_t group = 0; group < groups; ++group)
        children.push_back(fork_join(clients.subspan(group * share, share)));
    co_await eddy::when_all(children);
}

eddy::task<> parent(client_ends clients, std::size_t groups, const alarm_clock& alarm, lap_times& laps) {
    for (auto begun = lap_times::clock::now(); !alarm.has_rung(); laps.note(begun)) {
        if (groups == 1)
            co_await fork_join(clients);
        else
            co_await fork_join_groups(clients, groups);
    }
}

eddy::task<sample> run_fan_out(const fan_out_work& work) {
    std::vector<client_end> clients;
    std::deque<eddy::tcp_stream> servers;
    std::vector<eddy::handle<>> echoes, parents;
    for (const auto& [client, server] : connected_pairs(transport::tcp, work.connections())) {
        clients.emplace_back(eddy::tcp_stream(client), echoed_message());
        echoes.push_back(eddy::spawn(echo(servers.emplace_back(server))));
    }
    lap_times laps;
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    for (std::size_t at = 0; at < work.parents; ++at)
        parents.push_back(
            eddy::spawn(parent(client_ends(clients).subspan(at * work.per_parent(), work.per_parent()),
                               work.groups, alarm, laps)));
    for (eddy::handle<>& one : parents)
        co_await one;
    co_return laps.stop(watch);
}

eddy::task<sample> run_socket_pair(double seconds) {
    const auto [one, other] = connected_pair(transport::local);
    eddy::local_stream writer(one);
    eddy::local_stream reader(other);
    std::array<std::byte, pipe_work::bytes> bytes{};
    std::int64_t count = 0;
    const stopwatch watch;
    for (const alarm_clock alarm(seconds); !alarm.has_rung(); ++count) {
        const std::size_t written = co_await writer.write(bytes);
        expect_bytes(bytes.size(), written);
        const std::size_t read = co_await reader.read(bytes);
        expect_bytes(bytes.size(), read);
    }
    co_return watch.stop(count);
}

std::span<const std::byte> bytes_of(std::string_view text) {
    return std::as_bytes(std::span(text));
}

eddy::task<std::int64_t> serve_connection(eddy::tcp_stream client) {
    std::array<std::byte, 4096> buffer;
    std::int64_t served = 0;
    while (const std::size_t count = co_await client.read(buffer)) {
        expect_bytes(request_text.size(), count);
        co_await client.write_all(bytes_of(reply_text));
        ++served;
    }
    co_return served;
}

eddy::task<std::int64_t> serve(eddy::channel<eddy::endpoint>& reported) {
    eddy::tcp_listener listener = eddy::tcp_listener::bind(eddy::endpoint::loopback_ipv4(0));
    co_await reported.send(listener.local_endpoint());
    std::vector<eddy::handle<std::int64_t>> connections;
    for (std::size_t at = 0; at < request_work::connections; ++at)
        connections.push_back(eddy::spawn(serve_connection(co_await listener.accept())));
    std::int64_t served = 0;
    for (auto& one : connections)
        served += co_await one;
    co_return served;
}

eddy::task<> ask(eddy::endpoint server, const alarm_clock& alarm, lap_times& laps) {
    eddy::tcp_stream stream = co_await eddy::tcp_stream::connect(server);
    std::array<std::byte, 4096> buffer;
    for (auto begun = lap_times::clock::now(); !alarm.has_rung(); laps.note(begun)) {
        co_await stream.write_all(bytes_of(request_text));
        const std::size_t count = co_await stream.read(buffer);
        expect_bytes(reply_text.size(), count);
    }
    co_await stream.shutdown();
}

eddy::task<sample> run_requests(double seconds) {
    eddy::runtime& here = eddy::runtime::current();
    eddy::channel<eddy::endpoint> reported(1);
    lap_times laps;
    const stopwatch watch;
    const alarm_clock alarm(seconds);
    auto server = here.spawn_on(here.workers() - 1, [&reported] { return serve(reported); });
    const auto at = co_await reported.recv();
    std::vector<eddy::handle<>> clients;
    for (std::size_t count = 0; count < request_work::connections; ++count)
        clients.push_back(eddy::spawn(ask(*at, alarm, laps)));
    for (eddy::handle<>& client : clients)
        co_await client;
    const std::int64_t served = co_await server;
    expect_value(static_cast<std::uint64_t>(laps.total()), static_cast<std::uint64_t>(served));
    co_return laps.stop(watch);
}

}  // namespace

sample eddy_fan_out(eddy::backend_kind backend, const fan_out_work& work) {
    return eddy::run(run_fan_out(work), eddy::runtime_options().workers(1).backend(backend));
}

sample eddy_socket_pair(eddy::backend_kind backend, const step_work& work) {
    return eddy::run(run_socket_pair(work.seconds), eddy::runtime_options().workers(1).backend(backend));
}

sample eddy_requests(eddy::backend_kind backend, const request_work& work) {
    return eddy::run(run_requests(work.seconds),
                     eddy::runtime_options().workers(work.threads).backend(backend));
}

}  // namespace bench
