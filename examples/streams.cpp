// Streams of bytes: lines and frames, copying, time limits, and tests without a network.
//
//     build/release/examples/streams
//
// It prints:
//
//     first line: GET /numbers
//     a frame of 5 bytes: hello
//     nothing was lost: one two
//     11 bytes copied
//     the peer was silent for 20 ms

#include <eddy/eddy.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

using namespace std::chrono_literals;

// [snippet: reader]
// Works on a connection, a pipe, a file, and in memory.
template <eddy::byte_source Source>
eddy::task<std::string> read_request(eddy::buffered_reader<Source&>& reader) {
    const auto line = co_await reader.read_line(8192);  // limit_exceeded if it is longer
    if (!line)
        co_return "";  // the stream has ended
    co_return std::string(*line);
}

template <eddy::byte_source Source>
eddy::task<std::string> read_frame(eddy::buffered_reader<Source&>& reader) {
    const auto head = co_await reader.read_exactly(1);
    const auto size = std::to_integer<std::size_t>(head[0]);
    const auto frame = co_await reader.read_exactly(size);  // a view, valid until the next read
    co_return std::string(eddy::as_text(frame));
}
// [/snippet]

eddy::task<> parse() {
    auto [near, far] = eddy::duplex(4096);
    co_await far.write_all(eddy::as_bytes("GET /numbers\r\n\x05hello"));
    eddy::buffered_reader<eddy::duplex_stream&> reader(near);
    const std::string line = co_await read_request(reader);
    std::printf("first line: %s\n", line.c_str());
    const std::string frame = co_await read_frame(reader);
    std::printf("a frame of %zu bytes: %s\n", frame.size(), frame.c_str());
}

// [snippet: drop]
eddy::task<std::string> two_words(eddy::duplex_stream& from, eddy::duplex_stream& to) {
    eddy::buffered_reader<eddy::duplex_stream&> reader(from);
    co_await to.write_all(eddy::as_bytes("one t"));
    const auto late = co_await eddy::as_result(eddy::with_timeout(reader.read_until("\n", 100), 1ms));
    if (late)
        co_return "";
    co_await to.write_all(eddy::as_bytes("wo\n"));
    const auto line = co_await reader.read_line(100);  // returns what the dropped read had read, too
    co_return std::string(*line);
}
// [/snippet]

eddy::task<> lose_nothing() {
    auto [near, far] = eddy::duplex(4096);
    const std::string words = co_await two_words(near, far);
    std::printf("nothing was lost: %s\n", words.c_str());
}

// [snippet: copy]
eddy::task<> relay(eddy::tcp_stream from, eddy::pipe_writer to) {
    const std::uint64_t count = co_await eddy::copy(from, to);  // the system moves the bytes
    std::printf("%llu bytes copied\n", static_cast<unsigned long long>(count));
}
// [/snippet]

eddy::task<> copy_from_a_connection() {
    auto listener = eddy::tcp_listener::bind(eddy::endpoint::loopback_ipv4(0));
    auto client = co_await eddy::tcp_stream::connect(listener.local_endpoint());
    auto served = co_await listener.accept();
    eddy::pipe_ends ends = eddy::pipe();
    co_await client.write_all(eddy::as_bytes("hello world"));
    co_await client.shutdown();
    co_await relay(std::move(served), std::move(ends.writer));
}

// [snippet: idle]
eddy::task<> wait_for_a_word(eddy::duplex_stream stream) {
    eddy::idle_timeout<eddy::duplex_stream> watched(std::move(stream), 20ms);
    std::array<std::byte, 64> memory;
    const auto word = co_await eddy::as_result(watched.read(memory));
    if (!word && word.error() == std::errc::timed_out)
        std::puts("the peer was silent for 20 ms");
}
// [/snippet]

eddy::task<> run_all() {
    co_await parse();
    co_await lose_nothing();
    co_await copy_from_a_connection();
    auto [near, far] = eddy::duplex(16);
    co_await wait_for_a_word(std::move(near));
}

int main() {
    eddy::run(run_all());
}
