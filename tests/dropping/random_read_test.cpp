// No byte is lost however a read and what ends it race with each other.

#include "support/numbered_bytes.hpp"
#include "support/plain_socket.hpp"
#include "support/run_bounded.hpp"
#include "support/seed.hpp"
#include "support/stream_pair.hpp"
#include "support/turns.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/net/tcp_stream.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <random>
#include <thread>
#include <vector>

namespace eddy::random_read_test {
namespace {

using test::between;
using test::connected_streams;
using test::plain_socket;
using test::run_bounded;

/// Reads once by the way that `kind` says and counts what came in its order.
task<> read_once(tcp_stream& stream, int kind, std::size_t room, std::uint64_t& received) {
    if (kind == 0) {
        const auto lease = co_await stream.read_leased();
        EXPECT_EQ(test::count_numbered(lease.bytes(), received), lease.size()) << "at byte " << received;
        received += lease.size();
    } else {
        std::array<std::byte, 4096> memory;
        const auto count = co_await stream.read(std::span(memory).first(room));
        EXPECT_EQ(test::count_numbered(std::span(memory).first(count), received), count)
            << "at byte " << received;
        received += count;
    }
}

task<> read_the_rest(tcp_stream& stream, std::uint64_t& received) {
    for (;;) {
        const std::uint64_t before = received;
        co_await read_once(stream, 0, 0, received);
        if (received == before)
            break;
    }
}

/// Which ways of reading take part.
enum class ways { leased, in_place, both };

int choose(std::mt19937_64& generator, ways allowed) {
    return allowed == ways::both ? between(generator, 0, 1) : allowed == ways::in_place ? 1 : 0;
}

#ifdef NDEBUG
constexpr int rounds = 10'000;
#else
constexpr int rounds = 2'000;
#endif

class dropped_read : public ::testing::TestWithParam<ways> {};

TEST_P(dropped_read, loses_no_byte) {
    // Peer, reader and dropper share a worker, which makes every interleaving likely: a read is dropped
    // before it was queued, before the byte came, after, and when it was answered but not resumed.
    const auto main = [](ways allowed) -> task<> {
        auto generator = test::seeded_generator();
        auto pair = co_await connected_streams();
        std::uint64_t sent = 0;
        std::uint64_t received = 0;
        int completed = 0;
        std::array<std::byte, 3000> piece;
        const auto send_some = [&]() {
            const auto size = between<std::size_t>(generator, 1, std::size_t{1} << between(generator, 0, 11));
            test::fill_numbered(std::span(piece).first(size), sent);
            sent += size;
            return std::span<const std::byte>(piece).first(size);
        };
        constexpr int drops = 10 * rounds;
        for (int round = 0; round < drops; ++round) {
            // Beyond what socket buffers hold nothing more is sent, so that no write waits for a reader.
            const bool may_send = sent - received < 100'000;
            const int when = may_send ? between(generator, 0, 5) : 5;
            if (when == 0)
                co_await pair.client.write_all(send_some());
            const auto room = between<std::size_t>(generator, 1, 4096);
            auto dropped = spawn(read_once(pair.server, choose(generator, allowed), room, received));
            if (when == 1)
                co_await pair.client.write_all(send_some());
            if (when == 2) {
                co_await yield();
                co_await pair.client.write_all(send_some());
            }
            if (when == 3) {
                co_await test::turns(1);
                co_await pair.client.write_all(send_some());
            }
            if (when >= 4 && round % 2 == 0)
                co_await test::turns(between(generator, 0, 2));
            completed += dropped.done() ? 1 : 0;
            if (dropped.done())
                dropped.get();
            if (::testing::Test::HasFailure())
                co_return;
        }
        EXPECT_GT(completed, drops / 20);
        EXPECT_LT(completed, drops - drops / 20);
        co_await pair.client.shutdown();
        co_await read_the_rest(pair.server, received);
        EXPECT_EQ(received, sent);
    };
    run_bounded(main(GetParam()));
}

TEST_P(dropped_read, loses_no_byte_of_a_peer_in_another_thread) {
    const auto main = [](ways allowed) -> task<> {
        auto generator = test::seeded_generator();
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        std::atomic<bool> is_enough = false;
        std::uint64_t sent = 0;
        std::thread peer([&, port = listener.local_endpoint().port(), seed = generator()] {
            std::mt19937_64 own(seed);
            auto socket = plain_socket::connect(port);
            std::vector<std::byte> piece(2000);
            while (!is_enough) {
                const auto size = between<std::size_t>(own, 1, std::size_t{1} << between(own, 0, 10));
                test::fill_numbered(std::span(piece).first(size), sent);
                if (!socket.send_all(piece.data(), size))
                    break;
                sent += size;
            }
            socket.shut_down_sending();
            // Waits for the end, so that nothing is reset.
            char byte = 0;
            socket.receive(&byte, 1);
        });
        std::uint64_t received = 0;
        {
            auto server = co_await listener.accept();
            for (int round = 0; round < 2 * rounds; ++round) {
                const auto room = between<std::size_t>(generator, 1, 4096);
                auto dropped = spawn(read_once(server, choose(generator, allowed), room, received));
                if (between(generator, 0, 2) == 0)
                    co_await yield();
                else
                    co_await test::turns(between(generator, 0, 2));
                if (dropped.done())
                    dropped.get();
                if (::testing::Test::HasFailure())
                    break;
            }
            is_enough = true;
            co_await read_the_rest(server, received);
        }
        co_await test::turns(2);
        peer.join();
        EXPECT_EQ(received, sent);
    };
    run_bounded(main(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(tcp_stream, dropped_read,
                         ::testing::Values(ways::leased, ways::in_place, ways::both),
                         [](const auto& instance) {
                             return instance.param == ways::leased     ? "leased"
                                    : instance.param == ways::in_place ? "in_place"
                                                                       : "both";
                         });

}  // namespace
}  // namespace eddy::random_read_test
