// Datagrams, and messages of local sockets with descriptors.

#include "io_scenarios/streams.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/combine/when_all.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/io/plain_descriptor.hpp>
#include <eddy/net/local_listener.hpp>
#include <eddy/net/local_stream.hpp>
#include <eddy/net/readiness.hpp>
#include <eddy/net/udp_socket.hpp>
#include <eddy/runtime/sleep.hpp>

#include <array>
#include <chrono>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace eddy::test::datagram_test {
namespace {

udp_socket at_loopback() {
    return udp_socket::bind(endpoint::loopback_ipv4(0));
}

task<> answer(udp_socket& server) {
    std::array<std::byte, 16> memory{};
    const auto question = co_await server.receive_from(memory);
    co_await server.send_to(std::span(memory).first(question.size), question.from);
}

task<> ask(udp_socket& client, endpoint server) {
    co_await client.send_to(as_bytes("word"), server);
    std::array<std::byte, 16> memory{};
    const std::size_t size = co_await client.receive(memory);
    require(as_text(std::span(memory).first(size)) == "word", "another word came back");
}

task<> asks_and_answers() {
    udp_socket client = at_loopback();
    udp_socket server = at_loopback();
    co_await when_all(answer(server), ask(client, server.local_endpoint()));
}

task<> send_later(udp_socket& from, endpoint to) {
    co_await sleep_for(short_wait);
    co_await from.send_to(as_bytes("late"), to);
}

task<> gives_up_and_receives_later() {
    udp_socket from = at_loopback();
    udp_socket to = at_loopback();
    std::array<std::byte, 16> memory{};
    const auto late = co_await as_result(with_timeout(to.receive_from(memory), short_wait));
    require_error(late, std::errc::timed_out, "nobody has sent anything");
    const auto racing = co_await race(to.receive(memory), send_later(from, to.local_endpoint()));
    // If the sender has won the datagram is still there.
    if (racing.index() == 1) {
        const std::size_t size = co_await with_timeout(to.receive(memory), long_wait);
        require(size == 4, "another datagram");
    }
}

task<> receive_batches(udp_socket& to, std::size_t total) {
    datagram_batch batch(8, 16);
    for (std::size_t seen = 0; seen < total;)
        seen += co_await to.receive_batch(batch);
}

task<> send_batches(udp_socket& from, endpoint to, std::size_t total) {
    const std::vector<outgoing_datagram> sent(total / 2, outgoing_datagram(as_bytes("x"), to));
    co_await from.send_batch(sent);
    co_await yield();
    co_await from.send_batch(sent);
}

task<> exchanges_batches() {
    udp_socket from = at_loopback();
    udp_socket to = at_loopback();
    co_await when_all(receive_batches(to, 20), send_batches(from, to.local_endpoint(), 20));
}

task<> pass_it_on(local_stream& to) {
    auto passed = datagram_pair();
    std::array<int, 1> descriptors{STDERR_FILENO};
    co_await yield();
    co_await to.send_message(as_bytes("x"), descriptors);
}

task<> take_it(local_stream& from) {
    std::array<std::byte, 4> memory{};
    const received_message received = co_await from.receive_message(memory);
    require(received.size == 1 && received.descriptors.size() == 1, "no descriptor came");
}

task<> passes_a_descriptor() {
    auto ends = socket_pair();
    co_await when_all(take_it(ends.second), pass_it_on(ends.first));
}

task<> connects_locally() {
    local_listener listener = local_listener::bind(local_endpoint(), local_listen_options().backlog(1));
    std::vector<local_stream> accepted;
    auto connecting = when_all(local_stream::connect(listener.local_endpoint()), listener.accept());
    const auto made = co_await std::move(connecting);
    require(std::get<0>(made).is_open() && std::get<1>(made).is_open(), "not connected");
}

task<> send_word(local_packets& to) {
    co_await yield();
    co_await to.send(as_bytes("word"));
}

task<> receive_word(local_packets& from) {
    std::array<std::byte, 16> memory{};
    const std::size_t size = co_await from.receive(memory);
    require(size == 4, "another message");
}

task<> exchanges_packets() {
    auto ends = packet_pair();
    co_await when_all(receive_word(ends.second), send_word(ends.first));
    co_await when_all(receive_word(ends.first), send_word(ends.second));
}

task<> awaits_others() {
    auto ends = socket_pair();
    const io::plain_descriptor reading = ends.first.release();
    const io::plain_descriptor writing = ends.second.release();
    co_await writable(writing.get());
    const auto late = co_await as_result(with_timeout(readable(reading.get()), short_wait));
    require_error(late, std::errc::timed_out, "nobody has written");
}

task<> sends_segments() {
    udp_socket from = at_loopback();
    udp_socket to = at_loopback();
    co_await from.send_segments(numbered_front(250), 100, to.local_endpoint());
    std::array<std::byte, 128> memory{};
    for (const std::size_t size : {100U, 100U, 50U}) {
        const std::size_t received = co_await to.receive(memory);
        require(received == size, "cut elsewhere");
    }
}

constexpr std::size_t more_than_a_queue = 600;

task<> send_many(local_datagram& from, local_endpoint to) {
    for (std::size_t count = 0; count < more_than_a_queue; ++count)
        co_await from.send_to(as_bytes("x"), to);
}

task<> receive_many(local_datagram& from) {
    std::array<std::byte, 4> memory{};
    for (std::size_t count = 0; count < more_than_a_queue; ++count)
        co_await from.receive(memory);
}

task<> sends_to_a_full_queue() {
    local_datagram from = local_datagram::bind(local_endpoint());
    local_datagram to = local_datagram::bind(local_endpoint());
    co_await when_all(send_many(from, to.local_endpoint()), receive_many(to));
}

task<> send_with_descriptors(local_packets& to) {
    co_await yield();
    const std::array<int, 2> passed{STDERR_FILENO, STDERR_FILENO};
    co_await to.send_message(as_bytes("xy"), passed);
}

task<> receive_with_descriptors(local_packets& from) {
    std::array<std::byte, 4> memory{};
    const received_message received = co_await from.receive_message(memory);
    require(received.size == 2 && received.descriptors.size() == 2, "not what was sent");
}

task<> sends_packets_with_descriptors() {
    auto ends = packet_pair();
    co_await when_all(receive_with_descriptors(ends.second), send_with_descriptors(ends.first));
}

task<> finds_a_full_backlog() {
    local_listener listener = local_listener::bind(local_endpoint(), local_listen_options().backlog(1));
    auto connecting = when_all(local_stream::connect(listener.local_endpoint()),
                               local_stream::connect(listener.local_endpoint()),
                               local_stream::connect(listener.local_endpoint()));
    const auto made = co_await as_result(with_timeout(std::move(connecting), 5 * short_wait));
    require_error(made, std::errc::timed_out, "there was room");
}

const scenario_suite listed({
    {"a_question_by_datagram", &asks_and_answers},
    {"a_receive_that_is_given_up", &gives_up_and_receives_later},
    {"batches_of_datagrams", &exchanges_batches},
    {"a_descriptor_that_is_passed", &passes_a_descriptor},
    {"a_local_connection", &connects_locally},
    {"packets", &exchanges_packets},
    {"a_wait_for_others", &awaits_others},
    {"segments", &sends_segments},
    {"a_full_queue", &sends_to_a_full_queue, suite_options().stride(97)},
    {"packets_with_descriptors", &sends_packets_with_descriptors},
    {"a_full_backlog", &finds_a_full_backlog},
});

}  // namespace
}  // namespace eddy::test::datagram_test
