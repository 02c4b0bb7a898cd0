#include "support/descriptor_limit.hpp"
#include "support/ipv6.hpp"
#include "support/numbered_bytes.hpp"
#include "support/run_bounded.hpp"
#include "support/seed.hpp"
#include "support/stream_pair.hpp"
#include "support/turns.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/net/tcp_stream.hpp>
#include <eddy/runtime/runtime.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <utility>
#include <vector>

namespace eddy::tcp_stream_test {
namespace {

using test::between;
using test::connected_streams;
using test::run_bounded;

/// Sends the numbered stream in pieces of random sizes, by every way of writing there is.
task<> send_numbered(tcp_stream& to, std::uint64_t total, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    std::vector<std::byte> piece;
    for (std::uint64_t sent = 0; sent < total;) {
        const int bits = between(generator, 0, 18);
        const auto size =
            std::min<std::uint64_t>(total - sent, between<std::uint64_t>(generator, 1, 1U << bits));
        piece.resize(size);
        test::fill_numbered(piece, sent);
        switch (between(generator, 0, 2)) {
            case 0:
                sent += co_await to.write(piece);
                break;
            case 1:
                EXPECT_EQ(co_await to.write_all(piece), size);
                sent += size;
                break;
            default: {
                const auto middle = between<std::size_t>(generator, 0, size);
                std::array<const_buffer, 3> parts{const_buffer(std::span(piece).first(middle)),
                                                  const_buffer(),
                                                  const_buffer(std::span(piece).subspan(middle))};
                EXPECT_EQ(co_await to.write_all(parts), size);
                sent += size;
            }
        }
    }
}

/// Reads the numbered stream to its end, by both ways of reading in turn; gives how much it was.
task<std::uint64_t> receive_numbered(tcp_stream& from, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    std::vector<std::byte> memory(1U << 17);
    for (std::uint64_t received = 0;;) {
        std::size_t count = 0;
        if (between(generator, 0, 1) == 0) {
            const auto room = between<std::size_t>(generator, 1, std::size_t{1} << between(generator, 0, 17));
            count = co_await from.read(std::span(memory).first(room));
            EXPECT_LE(count, room);
            EXPECT_EQ(test::count_numbered(std::span(memory).first(count), received), count) << received;
        } else {
            const auto lease = co_await from.read_leased();
            count = lease.size();
            EXPECT_EQ(test::count_numbered(lease.bytes(), received), count) << received;
        }
        if (count == 0)
            co_return received;
        received += count;
    }
}

task<> send_text(tcp_stream& to, std::string_view text) {
    co_await to.write_all(as_bytes(text));
}

/// Sends everything back until the end.
task<> echo(tcp_stream& stream) {
    for (;;) {
        const auto lease = co_await stream.read_leased();
        if (lease.empty())
            break;
        co_await stream.write_all(lease.bytes());
    }
    co_await stream.shutdown();
}

TEST(tcp_stream, carries_megabytes_in_pieces_of_any_size_both_ways) {
    const auto main = []() -> task<> {
        auto generator = test::seeded_generator();
        for (const std::uint64_t total : {1ULL, 1000ULL, 65'536ULL, 5'000'000ULL}) {
            auto pair = co_await connected_streams();
            auto echoing = spawn(echo(pair.server));
            auto sending = spawn(send_numbered(pair.client, total, generator()));
            auto receiving = spawn(receive_numbered(pair.client, generator()));
            co_await sending;
            co_await pair.client.shutdown();
            EXPECT_EQ(co_await receiving, total);
            co_await echoing;
        }
    };
    run_bounded(main());
}

TEST(tcp_stream, ends_one_half_and_goes_on_with_the_other) {
    const auto main = []() -> task<> {
        auto pair = co_await connected_streams();
        co_await pair.client.write_all(as_bytes("question"));
        co_await pair.client.shutdown();
        EXPECT_EQ(as_text((co_await pair.server.read_leased()).bytes()), "question");
        EXPECT_TRUE((co_await pair.server.read_leased()).empty());
        std::array<std::byte, 4> memory;
        EXPECT_EQ(co_await pair.server.read(memory), 0u) << "the end stays the end";
        co_await pair.server.write_all(as_bytes("answer"));
        EXPECT_EQ(as_text((co_await pair.client.read_leased()).bytes()), "answer");
    };
    run_bounded(main());
}

TEST(tcp_stream, gives_what_was_sent_before_the_end) {
    const auto main = []() -> task<> {
        auto pair = co_await connected_streams();
        co_await pair.client.write_all(as_bytes("last words"));
        pair.client.close();
        co_await test::turns(3);
        EXPECT_EQ(as_text((co_await pair.server.read_leased()).bytes()), "last words");
        EXPECT_TRUE((co_await pair.server.read_leased()).empty());
    };
    run_bounded(main());
}

TEST(tcp_stream, moves_between_operations) {
    const auto main = []() -> task<> {
        auto pair = co_await connected_streams();
        co_await pair.client.write_all(as_bytes("one"));
        EXPECT_EQ((co_await pair.server.read_leased()).size(), 3u);
        tcp_stream moved = std::move(pair.server);
        EXPECT_FALSE(pair.server.is_open());  // NOLINT: what a moved-from stream is, is part of its contract
        co_await pair.client.write_all(as_bytes("three"));
        EXPECT_EQ((co_await moved.read_leased()).size(), 5u);
        pair.server = std::move(moved);
        pair.client = std::move(pair.server);  // closes the client
        EXPECT_TRUE((co_await pair.client.read_leased()).empty());
    };
    run_bounded(main());
}

TEST(tcp_stream, writes_nothing_of_nothing) {
    const auto main = []() -> task<> {
        auto pair = co_await connected_streams();
        EXPECT_EQ(co_await pair.client.write(std::span<const std::byte>()), 0u);
        EXPECT_EQ(co_await pair.client.write_all(std::span<const std::byte>()), 0u);
        EXPECT_EQ(co_await pair.client.write_all(std::span<const_buffer>()), 0u);
        std::array<const_buffer, 2> empty;
        EXPECT_EQ(co_await pair.client.write_all(empty), 0u);
        co_await pair.client.write_all(as_bytes("x"));
        EXPECT_EQ((co_await pair.server.read_leased()).size(), 1u);
    };
    run_bounded(main());
}

TEST(tcp_stream, writes_more_buffers_than_one_call_takes) {
    const auto main = []() -> task<> {
        auto pair = co_await connected_streams();
        std::vector<std::byte> bytes(1'500'000);
        test::fill_numbered(bytes, 0);
        std::vector<const_buffer> parts;
        for (std::size_t at = 0; at < bytes.size(); at += 2000)
            parts.emplace_back(std::span(bytes).subspan(at, std::min<std::size_t>(2000, bytes.size() - at)));
        auto receiving = spawn(receive_numbered(pair.server, 1));
        EXPECT_EQ(co_await pair.client.write_all(parts), bytes.size());
        co_await pair.client.shutdown();
        EXPECT_EQ(co_await receiving, bytes.size());
    };
    run_bounded(main());
}

#if !defined(__SANITIZE_ADDRESS__)
TEST(tcp_stream, takes_memory_of_four_gibibytes_and_more) {
    const auto main = [](std::span<std::byte> huge) -> task<> {
        auto pair = co_await connected_streams();
        EXPECT_GT(co_await pair.client.write(huge), 0u);
        EXPECT_GT(co_await pair.server.read(huge), 0u);
    };
    // Just as long as a length of 32 bits would take for nothing.
    constexpr std::size_t size = std::size_t{1} << 32;
    void* const memory =
        ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        GTEST_SKIP() << "[address-space] no address space";
    run_bounded(main({static_cast<std::byte*>(memory), size}));
    ::munmap(memory, size);
}
#endif

TEST(tcp_stream, knows_its_endpoints) {
    const auto main = []() -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        EXPECT_NE(listener.local_endpoint().port(), 0);
        auto client = co_await tcp_stream::connect(listener.local_endpoint());
        auto server = co_await listener.accept();
        EXPECT_EQ(client.remote_endpoint(), listener.local_endpoint());
        EXPECT_EQ(client.local_endpoint(), server.remote_endpoint());
        EXPECT_EQ(client.remote_endpoint(), server.local_endpoint());
        client.close();
        EXPECT_THROW(static_cast<void>(client.local_endpoint()), std::system_error);
        EXPECT_THROW(static_cast<void>(client.remote_endpoint()), std::system_error);
    };
    run_bounded(main());
}

TEST(tcp_stream, speaks_ipv6) {
    if (!test::has_ipv6())
        GTEST_SKIP() << test::needs_ipv6;
    const auto main = []() -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv6(0));
        auto client = co_await tcp_stream::connect(listener.local_endpoint());
        auto server = co_await listener.accept();
        EXPECT_EQ(server.local_endpoint().to_string().substr(0, 6), "[::1]:");
        co_await client.write_all(as_bytes("six"));
        EXPECT_EQ(as_text((co_await server.read_leased()).bytes()), "six");
    };
    run_bounded(main());
}

TEST(tcp_stream, has_options) {
    const auto main = []() -> task<> {
        auto pair = co_await connected_streams();
        using io::socket_option;
        for (tcp_stream* stream : {&pair.server, &pair.client}) {
            EXPECT_EQ(stream->get_option(socket_option::no_delay), 1) << "on by itself";
            stream->set_option(socket_option::no_delay, 0);
            EXPECT_EQ(stream->get_option(socket_option::no_delay), 0);
            stream->set_option(socket_option::keep_alive, 1);
            EXPECT_EQ(stream->get_option(socket_option::keep_alive), 1);
            EXPECT_EQ(stream->get_option(socket_option::linger_s), -1);
            stream->set_option(socket_option::linger_s, 0);
            EXPECT_EQ(stream->get_option(socket_option::linger_s), 0);
            EXPECT_THROW(stream->set_option(socket_option::linger_s, 7), std::system_error);
            stream->set_option(socket_option::linger_s, -1);
            EXPECT_EQ(stream->get_option(socket_option::linger_s), -1);
            stream->set_option(socket_option::send_buffer_bytes, 40'000);
            EXPECT_GE(stream->get_option(socket_option::send_buffer_bytes), 40'000);
            stream->set_option(socket_option::user_timeout_ms, 1234);
            EXPECT_EQ(stream->get_option(socket_option::user_timeout_ms), 1234);
        }
        pair.client.close();
        EXPECT_THROW(pair.client.set_option(socket_option::no_delay, 1), std::system_error);
        EXPECT_THROW(static_cast<void>(pair.client.get_option(socket_option::no_delay)), std::system_error);
    };
    run_bounded(main());
}

task<std::string> read_text(tcp_stream& stream) {
    auto lease = co_await stream.read_leased();
    co_return std::string(as_text(lease.bytes()));
}

TEST(tcp_stream, may_be_awaited_through_a_name) {
    // An awaiter that is kept after its end must not disturb the next read.
    const auto main = []() -> task<> {
        auto pair = co_await connected_streams();
        handle<std::string> second;
        {
            auto named = pair.server.read_leased();
            auto writing = spawn(send_text(pair.client, "first"));
            const buffer_lease first = co_await named;
            EXPECT_EQ(as_text(first.bytes()), "first");
            co_await writing;
            second = spawn(read_text(pair.server));
            co_await test::turns(2);
        }
        co_await pair.client.write_all(as_bytes("second"));
        EXPECT_EQ(co_await second, "second");
    };
    run_bounded(main());
}

task<std::uint64_t> exchange(endpoint at, std::uint64_t total, std::uint64_t seed) {
    auto stream = co_await tcp_stream::connect(at);
    auto receiving = spawn(receive_numbered(stream, seed));
    co_await send_numbered(stream, total, seed + 1);
    co_await stream.shutdown();
    co_return co_await receiving;
}

task<> serve_echo(tcp_stream stream) {
    co_await echo(stream);
}

task<> serve(tcp_listener& listener, std::size_t connections) {
    std::vector<handle<>> serving;
    for (std::size_t at = 0; at < connections; ++at)
        serving.push_back(spawn(serve_echo(co_await listener.accept())));
    for (auto& each : serving)
        co_await each;
}

TEST(tcp_stream, comes_by_the_thousand) {
    if (!test::may_have_descriptors(2100))
        GTEST_SKIP() << test::needs_descriptors;
    const auto main = []() -> task<> {
        constexpr std::size_t connections = 1000;
        auto generator = test::seeded_generator();
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        auto serving = spawn(serve(listener, connections));
        std::vector<handle<std::uint64_t>> exchanging;
        for (std::size_t at = 0; at < connections; ++at)
            exchanging.push_back(spawn(exchange(listener.local_endpoint(), 3000, generator())));
        for (auto& each : exchanging)
            EXPECT_EQ(co_await each, 3000u);
        co_await serving;
        co_await test::turns(2);
        EXPECT_EQ(runtime::current().metrics(0).connections, 0u);
    };
    run_bounded(main());
}

}  // namespace
}  // namespace eddy::tcp_stream_test
