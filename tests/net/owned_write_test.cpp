#include "support/numbered_bytes.hpp"
#include "support/ordinary_user.hpp"
#include "support/run_bounded.hpp"
#include "support/stream_pair.hpp"
#include "support/turns.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/io/owned_bytes.hpp>
#include <eddy/net/detail/owned_write.hpp>
#include <eddy/net/local_stream.hpp>
#include <eddy/net/tcp_stream.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <utility>

namespace eddy::owned_write_test {
namespace {

using namespace std::chrono_literals;
using test::connected_streams;
using test::run_bounded;

owned_bytes numbered(std::size_t size, std::size_t from = 0) {
    owned_bytes made(size);
    test::fill_numbered(made.bytes(), from);
    return made;
}

task<std::size_t> send(tcp_stream& to, std::size_t size, std::size_t from = 0) {
    co_return co_await to.write_all(numbered(size, from));
}

/// Reads that many numbered bytes; gives how many were in their place.
task<std::size_t> receive(tcp_stream& from, std::size_t size) {
    std::size_t total = 0;
    while (total < size) {
        const buffer_lease lease = co_await from.read_leased();
        if (lease.empty() || test::count_numbered(lease.bytes(), total) != lease.size())
            break;
        total += lease.size();
    }
    co_return total;
}

TEST(owned_write, sends_all_with_and_without_a_copy) {
    const auto main = []() -> task<> {
        for (const bool is_copied : {true, false}) {
            auto pair = co_await connected_streams();
            if (!is_copied)
                pair.client.set_zero_copy_above(0);
            std::size_t total = 0;
            for (const std::size_t size : {0U, 1U, 5000U, 3'000'000U, 17U}) {
                auto sending = spawn(send(pair.client, size));
                const std::size_t received = co_await receive(pair.server, size);
                EXPECT_EQ(received, size);
                const std::size_t sent = co_await with_timeout(std::move(sending), 30s);
                EXPECT_EQ(sent, size);
                total += sent;
            }
            EXPECT_EQ(total, 3'005'018U);
        }
    };
    run_bounded(main());
}

TEST(owned_write, keeps_the_bytes_until_the_system_needs_them_no_more) {
    const auto main = []() -> task<> {
        auto pair = co_await connected_streams();
        pair.client.set_zero_copy_above(0);
        // Nobody reads yet: the writes end, and their memory is used again and again.
        constexpr std::size_t each = 10'000;
        constexpr std::size_t rounds = 20;
        for (std::size_t round = 0; round < rounds; ++round) {
            const std::size_t sent = co_await send(pair.client, each, round * each);
            EXPECT_EQ(sent, each);
            const owned_bytes scribbled = numbered(each, 12345);
        }
        const std::size_t received = co_await receive(pair.server, each * rounds);
        EXPECT_EQ(received, each * rounds);
    };
    run_bounded(main());
}

/// Sends without a copy more than an ordinary user may lock; ends the process.
[[noreturn]] void send_much_as_an_ordinary_user() {
    constexpr rlim_t locked_bytes = 300 * 1024;  // enough for a ring
    if (!test::become_ordinary_user(locked_bytes))
        std::_Exit(2);
    const auto main = []() -> task<bool> {
        auto pair = co_await connected_streams();
        pair.client.set_zero_copy_above(0);
        constexpr std::size_t size = 4'000'000;
        auto sending = spawn(send(pair.client, size));
        const std::size_t received = co_await receive(pair.server, size);
        const std::size_t sent = co_await sending;
        co_return received == size&& sent == size;
    };
    std::_Exit(run_bounded(main()) ? 0 : 1);
}

TEST(owned_write, sends_with_a_copy_what_its_user_may_not_lock) {
    ::testing::FLAGS_gtest_death_test_style = "threadsafe";
    if (!test::can_become_ordinary_user())
        GTEST_SKIP() << test::needs_own_user;
    EXPECT_EXIT(send_much_as_an_ordinary_user(), ::testing::ExitedWithCode(0), "");
}

TEST(owned_write, sends_nothing_more_once_it_is_dropped) {
    const auto main = []() -> task<> {
        for (const bool is_copied : {true, false}) {
            auto pair = co_await connected_streams();
            if (!is_copied)
                pair.client.set_zero_copy_above(0);
            constexpr std::size_t much = 20'000'000;
            auto writing = with_timeout(pair.client.write_all(numbered(much)), 5ms);
            const auto late = co_await as_result(std::move(writing));
            EXPECT_EQ(late.error(), std::errc::timed_out);
            pair.client.close();
            // A front part arrives, and then the end.
            const std::size_t received = co_await receive(pair.server, much);
            EXPECT_GT(received, 0U);
            EXPECT_LT(received, much);
            const buffer_lease end = co_await pair.server.read_leased();
            EXPECT_TRUE(end.empty());
        }
    };
    run_bounded(main());
}

TEST(owned_write, that_is_interrupted_tells_whether_all_was_sent) {
    const auto main = []() -> task<> {
        for (int turns = 0; turns < 5; ++turns) {
            auto pair = co_await connected_streams();
            auto writing = with_timeout(pair.client.write_all(numbered(10)), std::chrono::nanoseconds(turns));
            const auto ended = co_await as_result(std::move(writing));
            pair.client.close();
            const std::size_t received = co_await receive(pair.server, 10);
            EXPECT_EQ(received, ended.has_value() ? 10U : 0U);
        }
    };
    run_bounded(main());
}

TEST(owned_write, ends_when_the_stream_is_closed_or_the_peer_goes) {
    const auto main = []() -> task<> {
        for (const bool is_copied : {true, false}) {
            for (const bool is_closed_here : {true, false}) {
                auto pair = co_await connected_streams();
                if (!is_copied)
                    pair.client.set_zero_copy_above(0);
                auto sending = spawn(send(pair.client, 20'000'000));
                co_await test::turns(5);
                EXPECT_FALSE(sending.done());
                (is_closed_here ? pair.client : pair.server).close();
                const auto ended = co_await as_result(with_timeout(std::move(sending), 30s));
                EXPECT_FALSE(ended.has_value());
                if (ended.has_value())
                    co_return;
                const bool is_as_told = is_closed_here ? ended.error() == std::errc::operation_canceled
                                                       : ended.error() == std::errc::connection_reset ||
                                                             ended.error() == std::errc::broken_pipe;
                EXPECT_TRUE(is_as_told) << ended.error().message();
            }
        }
    };
    run_bounded(main());
}

TEST(owned_write, may_be_left_to_a_runtime_that_ends) {
    // The peer outlives the runtime and does not read.
    std::optional<io::plain_descriptor> peer;
    const auto main = [&]() -> task<> {
        auto pair = co_await connected_streams();
        pair.client.set_zero_copy_above(0);
        const std::size_t sent = co_await send(pair.client, 1000);
        EXPECT_EQ(sent, 1000U);
        peer.emplace(pair.server.release());
        auto dropped = spawn(send(pair.client, 20'000'000));
        co_await test::turns(3);
    };
    run_bounded(main());
}

TEST(owned_write, is_there_for_local_streams_too) {
    const auto main = []() -> task<> {
        auto [left, right] = socket_pair();
        const std::size_t sent = co_await left.write_all(numbered(1000));
        EXPECT_EQ(sent, 1000U);
        const buffer_lease lease = co_await right.read_leased();
        EXPECT_EQ(test::count_numbered(lease.bytes(), 0), 1000U);
    };
    run_bounded(main());
}

}  // namespace
}  // namespace eddy::owned_write_test
