#include "support/no_more_descriptors.hpp"
#include "support/plain_socket.hpp"
#include "support/run_bounded.hpp"
#include "support/turns.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/net/detail/awaited_accept.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/testing/resource_snapshot.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace eddy::awaited_accept_test {
namespace {

using test::no_more_descriptors;
using test::plain_socket;
using test::run_bounded;

task<tcp_stream> accept_from(tcp_listener& listener) {
    co_return co_await listener.accept();
}

TEST(awaited_accept, ends_when_the_listener_is_closed_by_another_task) {
    const auto main = []() -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        auto accepting = spawn(accept_from(listener));
        co_await test::turns(2);
        listener.close();
        listener.close();
        EXPECT_FALSE(accepting.done());
        try {
            co_await accepting;
            ADD_FAILURE() << "accepted";
        } catch (const std::system_error& caught) {
            EXPECT_EQ(caught.code(), std::errc::operation_canceled);
        }
        const auto again = co_await as_result(listener.accept());
        EXPECT_EQ(again.error(), std::errc::operation_canceled) << "and every later one";
    };
    run_bounded(main());
}

TEST(awaited_accept, keeps_a_connection_that_races_with_a_dropped_accept) {
    const auto main = []() -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        for (int round = 0; round < 300; ++round) {
            std::optional<plain_socket> client;
            {
                auto dropped = spawn(accept_from(listener));
                if (round % 3 != 0)
                    co_await test::turns(round % 3);
                client = plain_socket::connect(listener.local_endpoint().port());
                if (round % 4 >= 2)
                    co_await yield();
                if (dropped.done())
                    continue;
            }
            auto accepted = co_await listener.accept();
            co_await accepted.write_all(as_bytes("x"));
            char byte = 0;
            EXPECT_TRUE(client->receive_exactly(&byte, 1));
        }
    };
    run_bounded(main());
}

TEST(awaited_accept, keeps_a_connection_whose_accept_was_answered_but_not_resumed) {
    const auto main = []() -> task<> {
        int answered = 0;
        auto first = tcp_listener::bind(endpoint::loopback_ipv4(0));
        auto second = tcp_listener::bind(endpoint::loopback_ipv4(0));
        for (int round = 0; round < 300; ++round) {
            auto dropped = spawn(accept_from(second));
            co_await test::turns(1);
            // Both are answered in one turn, in this order; the first drops the second before it goes on.
            auto one = plain_socket::connect(first.local_endpoint().port());
            auto other = plain_socket::connect(second.local_endpoint().port());
            auto accepted = co_await first.accept();
            if (dropped.done())
                continue;
            dropped.cancel();
            ++answered;
            auto kept = co_await second.accept();
            co_await kept.write_all(as_bytes("x"));
            char byte = 0;
            EXPECT_TRUE(other.receive_exactly(&byte, 1));
        }
        EXPECT_GT(answered, 0);
    };
    run_bounded(main());
}

task<bool> gives_no_next(tcp_listener& listener) {
    const auto client = co_await listener.next();
    co_return !client.has_value();
}

TEST(awaited_accept, is_a_sequence_that_ends_when_the_listener_is_closed) {
    const auto main = []() -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        std::vector<plain_socket> clients;
        for (int at = 0; at < 3; ++at)
            clients.push_back(plain_socket::connect(listener.local_endpoint().port()));
        int served = 0;
        while (auto client = co_await listener.next()) {
            co_await client->write_all(as_bytes("x"));
            if (++served == 3)
                listener.close();
        }
        EXPECT_EQ(served, 3);
        char byte = 0;
        for (auto& client : clients)
            EXPECT_TRUE(client.receive_exactly(&byte, 1));
        EXPECT_TRUE(co_await gives_no_next(listener)) << "and ever after";
    };
    run_bounded(main());
}

TEST(awaited_accept, ends_a_sequence_when_the_listener_is_closed_by_another_task) {
    const auto main = []() -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        auto waiting = spawn(gives_no_next(listener));
        co_await test::turns(2);
        EXPECT_FALSE(waiting.done());
        listener.close();
        EXPECT_TRUE(co_await waiting);
    };
    run_bounded(main());
}

TEST(awaited_accept, keeps_a_connection_for_which_a_next_that_was_dropped_waited) {
    const auto main = []() -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        {
            auto dropped = spawn(gives_no_next(listener));
            co_await test::turns(2);
            EXPECT_FALSE(dropped.done());
        }
        const auto late = co_await as_result(with_timeout(listener.next(), std::chrono::milliseconds(1)));
        EXPECT_FALSE(late.has_value());
        if (!late) {
            EXPECT_EQ(late.error(), std::errc::timed_out) << "not the end of the sequence";
        }
        auto client = plain_socket::connect(listener.local_endpoint().port());
        auto accepted = co_await listener.next();
        EXPECT_TRUE(accepted.has_value());
        if (!accepted)
            co_return;
        co_await accepted->write_all(as_bytes("x"));
        char byte = 0;
        EXPECT_TRUE(client.receive_exactly(&byte, 1));
    };
    run_bounded(main());
}

/// Waits until an accept under way has met the shortage a number of times.
task<> turns_until_short(tcp_listener& listener, std::uint64_t times) {
    const std::uint64_t wanted = listener.shortages() + times;
    co_await test::turns_until([&] { return listener.shortages() >= wanted; });
}

task<> expect_to_serve(tcp_stream accepted, plain_socket& client) {
    co_await accepted.write_all(as_bytes("x"));
    char byte = 0;
    EXPECT_TRUE(client.receive_exactly(&byte, 1));
}

TEST(awaited_accept, waits_while_descriptors_are_short_and_goes_on_when_there_are_some) {
    const auto main = []() -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        auto client = plain_socket::connect(listener.local_endpoint().port());
        auto accepting = spawn(accept_from(listener));
        std::optional<no_more_descriptors> full(std::in_place);
        const auto since = clock::now();
        co_await turns_until_short(listener, 4);
        EXPECT_GE(clock::now() - since, std::chrono::milliseconds(60)) << "it spins";
        EXPECT_FALSE(accepting.done());
        const auto unconnected = co_await as_result(tcp_stream::connect(listener.local_endpoint()));
        EXPECT_EQ(unconnected.error(), std::errc::too_many_files_open);
        full.reset();
        auto accepted = co_await with_timeout(std::move(accepting), std::chrono::seconds(30));
        co_await expect_to_serve(std::move(accepted), client);
    };
    run_bounded(main());
}

TEST(awaited_accept, keeps_a_connection_whose_accept_was_dropped_in_a_shortage) {
    const auto main = []() -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        auto client = plain_socket::connect(listener.local_endpoint().port());
        {
            const no_more_descriptors full;
            auto dropped = spawn(accept_from(listener));
            co_await turns_until_short(listener, 1);
        }
        // No accept waits when the rest ends, nor afterwards.
        co_await sleep_for(std::chrono::milliseconds(50));
        const std::uint64_t before = listener.shortages();
        auto accepted = co_await with_timeout(listener.accept(), std::chrono::seconds(30));
        EXPECT_EQ(listener.shortages(), before);
        co_await expect_to_serve(std::move(accepted), client);
    };
    run_bounded(main());
}

TEST(awaited_accept, lets_its_listener_be_closed_and_destroyed_in_a_shortage) {
    const auto main = []() -> task<> {
        for (const bool is_closed : {true, false}) {
            const auto before = testing::resource_snapshot::take();
            std::optional listener(tcp_listener::bind(endpoint::loopback_ipv4(0)));
            const std::uint16_t port = listener->local_endpoint().port();
            std::optional client(plain_socket::connect(port));
            std::optional<handle<tcp_stream>> accepting(spawn(accept_from(*listener)));
            std::optional<no_more_descriptors> full(std::in_place);
            co_await turns_until_short(*listener, 1);
            if (is_closed) {
                listener->close();
                const auto ended = co_await as_result(std::move(*accepting));
                EXPECT_EQ(ended.error(), std::errc::operation_canceled);
                full.reset();
                EXPECT_EQ(testing::resource_snapshot::take().timers, before.timers) << "it would try again";
            }
            accepting.reset();
            listener.reset();
            full.reset();
            EXPECT_EQ(testing::resource_snapshot::take().timers, before.timers) << "it would try again";
            client.reset();
            co_await test::turns(2);  // closing takes one
            EXPECT_EQ(testing::difference(before, testing::resource_snapshot::take()), "");
            const auto refused = co_await as_result(tcp_stream::connect(endpoint::loopback_ipv4(port)));
            EXPECT_FALSE(refused) << "it still listens";
            co_await test::turns(2);  // its socket is closed, too, before descriptors are short again
        }
    };
    run_bounded(main());
}

#ifndef NDEBUG
TEST(awaited_accept_death_test, is_the_only_one_of_its_listener) {
    ::testing::FLAGS_gtest_death_test_style = "threadsafe";
    const auto main = []() -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        auto first = spawn(accept_from(listener));
        auto second = spawn(accept_from(listener));
        co_await test::turns(2);
    };
    EXPECT_DEATH(run(main()), "one accept at a time");
}

TEST(awaited_accept_death_test, is_awaited_on_the_worker_that_bound_the_listener) {
    ::testing::FLAGS_gtest_death_test_style = "threadsafe";
    const auto main = []() -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        const auto elsewhere = [&listener] { return accept_from(listener); };
        co_await runtime::current().spawn_on(1, elsewhere);
    };
    EXPECT_DEATH(run_bounded(main(), runtime_options().workers(2)), "on a worker that it does not belong to");
}
#endif

}  // namespace
}  // namespace eddy::awaited_accept_test
