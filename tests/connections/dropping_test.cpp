// Dropping is cancelling: in every state of every operation, with nothing lost and nothing left.

#include "support/counted_object.hpp"
#include "support/descriptors.hpp"
#include "support/numbered_bytes.hpp"
#include "support/plain_socket.hpp"
#include "support/run_bounded.hpp"
#include "support/seed.hpp"
#include "support/stream_pair.hpp"
#include "support/turns.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/net/tcp_stream.hpp>
#include <eddy/runtime/runtime.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <thread>
#include <utility>
#include <vector>

namespace eddy {
namespace {

using test::between;
using test::connected_streams;
using test::plain_socket;
using test::run_bounded;

/// How far an operation has come when it is dropped.
enum class moment { not_started, queued, in_flight, long_in_flight };
constexpr std::array moments{moment::not_started, moment::queued, moment::in_flight, moment::long_in_flight};

task<> reach(moment wanted) {
    if (wanted == moment::queued)
        co_await yield();
    if (wanted == moment::in_flight)
        co_await test::turns(1);
    if (wanted == moment::long_in_flight)
        co_await test::turns(10);
}

task<> read_in_place(tcp_stream& stream) {
    std::array<std::byte, 64> memory;
    co_await stream.read(memory);
}

task<> read_leased(tcp_stream& stream) {
    auto lease = co_await stream.read_leased();
}

task<> write_much(tcp_stream& stream) {
    const std::vector<std::byte> bytes(16U << 20);
    co_await stream.write_all(bytes);
}

task<> write_much_vectored(tcp_stream& stream) {
    const std::vector<std::byte> bytes(8U << 20);
    std::array<const_buffer, 2> buffers{const_buffer(bytes), const_buffer(bytes)};
    co_await stream.write_all(buffers);
}

using operation_on_stream = task<> (*)(tcp_stream&);

class dropped_operation : public ::testing::TestWithParam<operation_on_stream> {};

TEST_P(dropped_operation, leaves_nothing_behind_at_any_moment) {
    const auto main = [](operation_on_stream operation) -> task<> {
        co_await connected_streams();
        co_await test::turns(2);
        const std::size_t before = test::open_descriptors();
        for (const moment when : moments) {
            for (int round = 0; round < 20; ++round) {
                auto pair = co_await connected_streams();
                auto dropped = spawn(operation(pair.server));
                co_await reach(when);
                EXPECT_FALSE(dropped.done());
                dropped.cancel();
            }
            co_await test::turns(3);
            EXPECT_EQ(test::open_descriptors(), before) << static_cast<int>(when);
            EXPECT_EQ(runtime::current().metrics(0).connections, 0u);
        }
    };
    run_bounded(main(GetParam()));
}

TEST_P(dropped_operation, goes_with_the_task_that_owns_its_stream) {
    const auto owner = [](operation_on_stream operation) -> task<> {
        auto pair = co_await connected_streams();
        co_await operation(pair.server);
    };
    const auto main = [](auto own, operation_on_stream operation) -> task<> {
        const std::size_t before = test::open_descriptors();
        for (int turns = 0; turns < 12; ++turns) {
            auto dropped = spawn(own(operation));
            co_await test::turns(turns);
        }
        co_await test::turns(3);
        EXPECT_EQ(test::open_descriptors(), before);
    };
    run_bounded(main(owner, GetParam()));
}

INSTANTIATE_TEST_SUITE_P(tcp_stream, dropped_operation,
                         ::testing::Values(&read_in_place, &read_leased, &write_much, &write_much_vectored));

TEST(dropped_write, has_sent_a_prefix_and_nothing_else) {
    const auto main = []() -> task<> {
        for (const moment when : moments) {
            auto pair = co_await connected_streams();
            std::vector<std::byte> bytes(8U << 20);
            test::fill_numbered(bytes, 0);
            const auto write = [](tcp_stream& to, std::span<const std::byte> sent) -> task<> {
                co_await to.write_all(sent);
            };
            {
                auto dropped = spawn(write(pair.client, bytes));
                co_await reach(when);
            }
            co_await pair.client.shutdown();
            std::size_t received = 0;
            for (;;) {
                const auto lease = co_await pair.server.read_leased();
                if (lease.empty())
                    break;
                EXPECT_EQ(test::count_numbered(lease.bytes(), received), lease.size());
                received += lease.size();
            }
            EXPECT_LT(received, bytes.size());
            if (when == moment::not_started || when == moment::queued) {
                EXPECT_LE(received, std::size_t{1} << 22)
                    << "what was never submitted may not have been sent whole";
            }
        }
    };
    run_bounded(main());
}

TEST(dropped_accept, leaves_nothing_behind_at_any_moment) {
    const auto accept = [](tcp_listener& listener) -> task<> { auto stream = co_await listener.accept(); };
    const auto main = [](auto operation) -> task<> {
        const std::size_t before = test::open_descriptors();
        for (const moment when : moments) {
            for (int round = 0; round < 20; ++round) {
                auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
                auto dropped = spawn(operation(listener));
                co_await reach(when);
            }
            co_await test::turns(3);
            EXPECT_EQ(test::open_descriptors(), before) << static_cast<int>(when);
        }
    };
    run_bounded(main(accept));
}

TEST(dropped_connect, closes_its_descriptor_at_any_moment) {
    const auto main = []() -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        const std::size_t before = test::open_descriptors();
        for (const moment when : moments) {
            for (int round = 0; round < 50; ++round) {
                auto dropped = spawn(tcp_stream::connect(listener.local_endpoint()));
                co_await reach(when);
            }
            co_await test::turns(3);
            EXPECT_EQ(test::open_descriptors(), before) << static_cast<int>(when);
        }
        // The backlog holds what was connected and closed; these never get through.
        auto full = tcp_listener::bind(endpoint::loopback_ipv4(0), listen_options().backlog(1));
        for (const moment when : moments) {
            const std::size_t open = test::open_descriptors();
            {
                std::vector<handle<tcp_stream>> connecting;
                for (int at = 0; at < 10; ++at)
                    connecting.push_back(spawn(tcp_stream::connect(full.local_endpoint())));
                co_await reach(when);
            }
            co_await test::turns(3);
            EXPECT_EQ(test::open_descriptors(), open) << static_cast<int>(when);
        }
    };
    run_bounded(main());
}

TEST(dropped_connect, that_was_answered_but_not_resumed_closes_its_descriptor) {
    const auto main = []() -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        const std::size_t before = test::open_descriptors();
        for (int round = 0; round < 100; ++round) {
            // Both connections complete in one turn; the first task to go on drops the second.
            auto first = spawn(tcp_stream::connect(listener.local_endpoint()));
            auto second = spawn(tcp_stream::connect(listener.local_endpoint()));
            const auto stream = co_await first;
            second.cancel();
        }
        co_await test::turns(3);
        EXPECT_EQ(test::open_descriptors(), before);
    };
    run_bounded(main());
}

// -- no byte is lost --

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
        constexpr int drops = 100'000;
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
                co_await test::turns(between(generator, 0, 1));
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
            for (int round = 0; round < 20'000; ++round) {
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

TEST(dropped_read, that_was_answered_but_not_resumed_gives_its_bytes_to_the_next) {
    const auto main = []() -> task<> {
        int answered = 0;
        auto pair = co_await connected_streams();
        for (int round = 0; round < 1000; ++round) {
            std::uint64_t received = 0;
            std::array<std::byte, 10> piece;
            test::fill_numbered(piece, 0);
            auto dropped = spawn(read_once(pair.server, round % 2, 100, received));
            co_await test::turns(1);
            // The write completes in the same turn as the read, but earlier.
            co_await pair.client.write_all(piece);
            const bool is_answered = !dropped.done();
            dropped.cancel();
            answered += is_answered ? 1 : 0;
            while (received < piece.size())
                co_await read_once(pair.server, (round / 2) % 2, 3, received);
            EXPECT_EQ(received, piece.size());
        }
        EXPECT_GT(answered, 0);
    };
    run_bounded(main());
}

TEST(dropped_read, into_memory_does_not_touch_it_afterwards) {
    const auto main = []() -> task<> {
        auto pair = co_await connected_streams();
        const auto read = [](tcp_stream& stream, std::span<std::byte> into) -> task<> {
            co_await stream.read(into);
        };
        std::array<std::byte, 64> memory{};
        for (const int turns : {0, 1, 2}) {
            {
                auto dropped = spawn(read(pair.server, memory));
                co_await yield();
                co_await test::turns(turns);
            }
            memory.fill(std::byte{0x11});
            co_await pair.client.write_all(as_bytes("overwritten?"));
            co_await test::turns(3);
            EXPECT_TRUE(std::ranges::all_of(memory, [](std::byte each) { return each == std::byte{0x11}; }));
            EXPECT_EQ((co_await pair.server.read_leased()).size(), 12u);
            // Leaves a stream without a pooled receive for the next round.
            pair = co_await connected_streams();
        }
    };
    run_bounded(main());
}

}  // namespace
}  // namespace eddy
