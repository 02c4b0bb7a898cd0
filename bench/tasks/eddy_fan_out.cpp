#include "contest/alarm_clock.hpp"
#include "sockets/connections.hpp"
#include "sockets/measuring.hpp"
#include "tasks/checks.hpp"
#include "tasks/eddy_tasks.hpp"

#include <eddy/eddy.hpp>

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

}  // namespace

sample eddy_socket_tasks::fan_out(const fan_out_work& work) const {
    return eddy::run(run_fan_out(work), eddy::runtime_options().workers(1).backend(kind_));
}

sample eddy_socket_tasks::socket_pair(const step_work& work) const {
    return eddy::run(run_socket_pair(work.seconds), eddy::runtime_options().workers(1).backend(kind_));
}

}  // namespace bench
