#include "contest/alarm_clock.hpp"
#include "sockets/measuring.hpp"
#include "tasks/checks.hpp"
#include "tasks/eddy_tasks.hpp"

#include <eddy/eddy.hpp>
#include <eddy/sync/channel.hpp>

#include <array>
#include <span>
#include <vector>

namespace bench {
namespace {

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

sample eddy_socket_tasks::requests(const request_work& work) const {
    return eddy::run(run_requests(work.seconds),
                     eddy::runtime_options().workers(work.threads).backend(kind_));
}

}  // namespace bench
