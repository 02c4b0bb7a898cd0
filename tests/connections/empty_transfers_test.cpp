// Reads into no memory and writes of nothing complete at once with 0, and take and disturb nothing: one test
// for everything that carries bytes.

#include "support/run_bounded.hpp"
#include "support/scratch_directory.hpp"
#include "support/stream_pair.hpp"
#include "support/turns.hpp"
#include "tls/tls_pair.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/fs/file.hpp>
#include <eddy/fs/names.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/net/local_stream.hpp>
#include <eddy/net/udp_socket.hpp>
#include <eddy/os/pipe.hpp>
#include <eddy/stream/any_stream.hpp>
#include <eddy/stream/buffered_reader.hpp>
#include <eddy/stream/duplex.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::empty_transfers_test {
namespace {

using test::run_bounded;

constexpr std::string_view ten_bytes = "0123456789";
constexpr std::span<std::byte> no_memory;
constexpr std::span<const std::byte> no_bytes;

template <class Stream>
task<std::string> read_bytes(Stream& from, std::size_t wanted) {
    std::string got;
    std::array<std::byte, 16> memory{};
    while (got.size() < wanted) {
        const std::size_t count = co_await from.read(memory);
        if (count == 0)
            break;
        got += as_text(std::span(memory).first(count));
    }
    co_return got;
}

/// Before anything has come, while it is on its way, once it is here, and between two reads.
template <class Sink, class Source>
task<> write_and_read_nothing_between(Sink& sink, Source& source) {
    std::array<std::byte, 4> memory{};
    EXPECT_EQ(co_await source.read(no_memory), 0U);
    EXPECT_EQ(co_await sink.write(no_bytes), 0U);
    co_await sink.write_all(no_bytes);
    EXPECT_EQ(co_await source.read(no_memory), 0U);
    co_await sink.write_all(as_bytes(ten_bytes.substr(0, 4)));
    EXPECT_EQ(co_await source.read(no_memory), 0U);
    const std::size_t first = co_await source.read(memory);
    EXPECT_EQ(as_text(std::span(memory).first(first)), ten_bytes.substr(0, first));
    EXPECT_EQ(co_await source.read(no_memory), 0U);
    co_await sink.write_all(as_bytes(ten_bytes.substr(4)));
    co_await test::turns(2);
    EXPECT_EQ(co_await source.read(no_memory), 0U);
    const std::string rest = co_await read_bytes(source, ten_bytes.size() - first);
    EXPECT_EQ(std::string(ten_bytes.substr(0, first)) + rest, std::string(ten_bytes));
}

task<> both_ways(auto first, auto second) {
    co_await write_and_read_nothing_between(first, second);
    co_await write_and_read_nothing_between(second, first);
}

TEST(an_empty_transfer, takes_nothing_from_tcp) {
    run_bounded([]() -> task<> {
        auto ends = co_await test::connected_streams();
        co_await both_ways(std::move(ends.client), std::move(ends.server));
    }());
}

TEST(an_empty_transfer, takes_nothing_from_local_streams) {
    run_bounded([]() -> task<> {
        auto ends = socket_pair();
        co_await both_ways(std::move(ends.first), std::move(ends.second));
    }());
}

TEST(an_empty_transfer, takes_nothing_from_streams_in_memory) {
    run_bounded([]() -> task<> {
        auto ends = duplex(64);
        co_await both_ways(std::move(ends.first), std::move(ends.second));
    }());
}

TEST(an_empty_transfer, takes_nothing_from_streams_of_any_kind) {
    run_bounded([]() -> task<> {
        auto ends = co_await test::connected_streams();
        any_stream client(std::move(ends.client));
        any_stream server(std::move(ends.server));
        co_await both_ways(std::move(client), std::move(server));
    }());
}

TEST(an_empty_transfer, takes_nothing_from_a_buffered_reader) {
    run_bounded([]() -> task<> {
        auto ends = co_await test::connected_streams();
        buffered_reader<tcp_stream> reader(std::move(ends.server));
        co_await write_and_read_nothing_between(ends.client, reader);
    }());
}

TEST(an_empty_transfer, takes_nothing_from_tls) {
    run_bounded([]() -> task<> {
        auto ends = co_await test::secured_pipe();
        co_await both_ways(std::move(ends.client), std::move(ends.server));
    }());
}

TEST(an_empty_transfer, takes_nothing_from_pipes) {
    run_bounded([]() -> task<> {
        auto ends = pipe();
        co_await write_and_read_nothing_between(ends.writer, ends.reader);
        ends.writer.close();
        EXPECT_EQ(co_await read_bytes(ends.reader, 1), "");
    }());
}

TEST(an_empty_transfer, takes_nothing_from_a_stream_that_is_read_by_lease) {
    run_bounded([]() -> task<> {
        auto ends = co_await test::connected_streams();
        co_await ends.client.write_all(as_bytes("first"));
        static_cast<void>(co_await ends.server.read_leased());
        EXPECT_EQ(co_await ends.server.read(no_memory), 0U);
        co_await ends.client.write_all(as_bytes(ten_bytes));
        co_await test::turns(2);
        EXPECT_EQ(co_await ends.server.read(no_memory), 0U);
        EXPECT_EQ(co_await read_bytes(ends.server, ten_bytes.size()), ten_bytes);
    }());
}

TEST(an_empty_transfer, takes_nothing_from_files) {
    run_bounded([]() -> task<> {
        const test::scratch_directory place;
        file opened = co_await fs::open(place.at("file"), open_options().read().write().create());
        EXPECT_EQ(co_await opened.write_at(no_bytes, 0), 0U);
        co_await opened.write_all_at(as_bytes(ten_bytes), 0);
        EXPECT_EQ(co_await opened.read(no_memory), 0U);
        EXPECT_EQ(co_await opened.read_at(no_memory, 3), 0U);
        EXPECT_EQ(co_await opened.write_at(no_bytes, 3), 0U);
        EXPECT_EQ(co_await read_bytes(opened, ten_bytes.size()), ten_bytes);
    }());
}

TEST(an_empty_transfer, takes_no_datagram) {
    run_bounded([]() -> task<> {
        udp_socket receiver = udp_socket::bind(endpoint::loopback_ipv4(0));
        udp_socket sender = udp_socket::connected_to(receiver.local_endpoint());
        std::array<std::byte, 16> memory{};
        EXPECT_EQ(co_await receiver.receive(no_memory), 0U);
        EXPECT_EQ((co_await receiver.receive_from(no_memory)).size, 0U);
        co_await sender.send(as_bytes(ten_bytes));
        EXPECT_EQ(co_await receiver.receive(no_memory), 0U);
        EXPECT_EQ(co_await receiver.receive(memory), ten_bytes.size());
        // A datagram may be empty, and is one for all that.
        EXPECT_EQ(co_await sender.send(no_bytes), 0U);
        EXPECT_EQ(co_await receiver.receive(memory), 0U);
    }());
}

TEST(an_empty_transfer, takes_no_message) {
    run_bounded([]() -> task<> {
        auto packets = packet_pair();
        auto streams = socket_pair();
        std::array<std::byte, 16> memory{};
        EXPECT_EQ((co_await packets.second.receive_message(no_memory)).size, 0U);
        EXPECT_EQ((co_await streams.second.receive_message(no_memory)).size, 0U);
        co_await packets.first.send_message(as_bytes(ten_bytes), {});
        co_await streams.first.send_message(as_bytes(ten_bytes), {});
        EXPECT_EQ((co_await packets.second.receive_message(no_memory)).size, 0U);
        EXPECT_EQ((co_await streams.second.receive_message(no_memory)).size, 0U);
        EXPECT_EQ((co_await packets.second.receive_message(memory)).size, ten_bytes.size());
        EXPECT_EQ((co_await streams.second.receive_message(memory)).size, ten_bytes.size());
    }());
}

}  // namespace
}  // namespace eddy::empty_transfers_test
