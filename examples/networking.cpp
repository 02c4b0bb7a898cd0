// Names, datagrams, local sockets, and one listener for all workers.
//
//     build/release/examples/networking
//
// It prints:
//
//     connected by name
//     served by another worker: 5 bytes
//     3 datagrams at once
//     through a passed pipe: hello

#include <eddy/eddy.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace std::chrono_literals;

// [snippet: name]
eddy::task<eddy::tcp_stream> connect_in_time(std::string host, std::uint16_t port) {
    co_return co_await eddy::with_timeout(eddy::connect(std::move(host), port), 10s);
}
// [/snippet]

eddy::task<> connect_by_name() {
    auto listener = eddy::tcp_listener::bind(eddy::endpoint::loopback_ipv4(0));
    const auto connected = co_await connect_in_time("localhost", listener.local_endpoint().port());
    if (connected.remote_endpoint() == listener.local_endpoint())
        std::puts("connected by name");
}

// [snippet: hand_round]
eddy::task<std::size_t> serve(eddy::io::plain_descriptor taken) {
    eddy::tcp_stream client(taken.release());  // from here on it belongs to this worker
    const auto request = co_await client.read_leased();
    co_await client.write_all(request.bytes());
    co_return request.size();
}

eddy::task<std::size_t> serve_next_elsewhere(eddy::tcp_listener& listener) {
    auto client = co_await listener.accept();
    auto serving = eddy::runtime::current().spawn(serve(client.release()));
    co_return co_await std::move(serving);
}
// [/snippet]

eddy::task<> hand_round() {
    auto listener = eddy::tcp_listener::bind(eddy::endpoint::loopback_ipv4(0));
    auto client = co_await eddy::tcp_stream::connect(listener.local_endpoint());
    co_await client.write_all(eddy::as_bytes("hello"));
    const std::size_t served = co_await serve_next_elsewhere(listener);
    std::printf("served by another worker: %zu bytes\n", served);
}

// [snippet: batch]
eddy::task<std::size_t> send_and_receive_many(eddy::udp_socket& from, eddy::udp_socket& to) {
    const std::vector<std::byte> report(2500);
    co_await from.send_segments(report, 1000, to.local_endpoint());  // 1000, 1000 and 500 bytes

    eddy::datagram_batch batch(64, 1500);  // memory for 64 datagrams, used again and again
    std::size_t count = 0;
    for (std::size_t bytes = 0; bytes < report.size();) {
        count += co_await to.receive_batch(batch);
        for (std::size_t at = 0; at < batch.size(); ++at)
            bytes += batch.bytes(at).size();
    }
    co_return count;
}
// [/snippet]

eddy::task<> exchange_datagrams() {
    auto from = eddy::udp_socket::bind(eddy::endpoint::loopback_ipv4(0));
    auto to = eddy::udp_socket::bind(eddy::endpoint::loopback_ipv4(0));
    const std::size_t count = co_await send_and_receive_many(from, to);
    std::printf("%zu datagrams at once\n", count);
}

// [snippet: pass]
eddy::task<> give(eddy::local_stream& to, int descriptor) {
    const std::array<int, 1> passed{descriptor};
    co_await to.send_message(eddy::as_bytes("a pipe"), passed);
}

eddy::task<int> take(eddy::local_stream& from) {
    std::array<std::byte, 64> memory{};
    auto message = co_await from.receive_message(memory);
    if (message.descriptors.empty())
        co_return -1;
    co_return message.descriptors.release(0);  // what is not released is closed with the message
}
// [/snippet]

eddy::task<> pass_a_pipe() {
    std::array<int, 2> pipe{};
    if (::pipe(pipe.data()) != 0)
        co_return;
    auto [left, right] = eddy::socket_pair();
    co_await give(left, pipe[1]);
    const int taken = co_await take(right);
    if (::write(taken, "hello", 5) != 5)
        co_return;
    co_await eddy::readable(pipe[0]);
    std::array<char, 8> text{};
    if (::read(pipe[0], text.data(), text.size() - 1) > 0)
        std::printf("through a passed pipe: %s\n", text.data());
    for (const int each : {pipe[0], pipe[1], taken})
        ::close(each);
}

eddy::task<> run_all() {
    co_await connect_by_name();
    co_await hand_round();
    co_await exchange_datagrams();
    co_await pass_a_pipe();
}

int main() {
    eddy::run(run_all(), eddy::runtime_options().workers(2));
}
