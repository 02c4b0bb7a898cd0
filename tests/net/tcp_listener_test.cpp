#include "support/descriptors.hpp"
#include "support/no_more_descriptors.hpp"
#include "support/plain_socket.hpp"
#include "support/run_bounded.hpp"
#include "support/turns.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/net/udp_socket.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/sleep.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace eddy {
namespace {

using test::no_more_descriptors;
using test::plain_socket;
using test::run_bounded;

task<tcp_stream> accept_from(tcp_listener& listener) {
    co_return co_await listener.accept();
}

TEST(tcp_listener, names_the_endpoint_that_it_cannot_have) {
    const auto main = []() -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        const std::string name = listener.local_endpoint().to_string();
        try {
            auto second = tcp_listener::bind(listener.local_endpoint());
            ADD_FAILURE() << "bound twice";
        } catch (const std::system_error& caught) {
            EXPECT_EQ(caught.code(), std::errc::address_in_use);
            EXPECT_NE(std::string(caught.what()).find(name), std::string::npos) << caught.what();
        }
        co_return;
    };
    const std::size_t before = test::open_descriptors();
    run_bounded(main());
    EXPECT_EQ(test::open_descriptors(), before);
}

TEST(tcp_listener, gives_connections_in_the_order_of_their_coming) {
    const auto main = []() -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        std::vector<plain_socket> clients;
        // More than a listener keeps, so that the system's backlog and the re-arming are in it.
        constexpr int count = 700;
        for (int at = 0; at < count; ++at)
            clients.push_back(plain_socket::connect(listener.local_endpoint().port()));
        for (int at = 0; at < count; ++at) {
            auto accepted = co_await listener.accept();
            sockaddr_in local{};
            socklen_t size = sizeof(local);
            ::getsockname(clients[static_cast<std::size_t>(at)].descriptor(),
                          reinterpret_cast<sockaddr*>(&local), &size);
            EXPECT_EQ(accepted.remote_endpoint().port(), ntohs(local.sin_port)) << at;
        }
    };
    run_bounded(main());
}

TEST(tcp_listener, passes_over_connections_that_were_reset_while_they_waited) {
    const auto main = []() -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        const auto port = listener.local_endpoint().port();
        for (int at = 0; at < 10; ++at)
            plain_socket::connect(port).reset();
        auto last = plain_socket::connect(port);
        last.send_all("x", 1);
        for (;;) {
            auto accepted = co_await listener.accept();
            auto lease = co_await as_result(accepted.read_leased());
            if (lease && lease->size() == 1)
                break;
        }
    };
    run_bounded(main());
}

TEST(tcp_listener, ends_a_pending_accept_when_it_is_closed_by_another_task) {
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

TEST(tcp_listener, closes_what_nobody_accepted) {
    const auto main = []() -> task<> {
        const std::size_t before = test::open_descriptors();
        std::vector<plain_socket> clients;
        {
            auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
            for (int at = 0; at < 50; ++at)
                clients.push_back(plain_socket::connect(listener.local_endpoint().port()));
            auto first = co_await listener.accept();
            co_await test::turns(3);
        }
        co_await test::turns(3);
        EXPECT_EQ(test::open_descriptors(), before + clients.size());
        char byte = 0;
        for (auto& client : clients)
            EXPECT_LE(client.receive(&byte, 1), 0);
    };
    run_bounded(main());
}

TEST(tcp_listener, closes_connections_that_arrive_while_it_is_closed) {
    const auto main = []() -> task<> {
        for (const bool is_dropped : {false, true}) {
            const std::size_t before = test::open_descriptors();
            for (int round = 0; round < 50; ++round) {
                std::optional<tcp_listener> listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
                auto first = plain_socket::connect(listener->local_endpoint().port());
                auto accepted = co_await listener->accept();  // the accept goes on after it
                co_await test::turns(round % 3);
                std::vector<handle<tcp_stream>> connecting;
                for (int at = 0; at < 6; ++at)
                    connecting.push_back(spawn(tcp_stream::connect(listener->local_endpoint())));
                co_await yield();
                if (is_dropped)
                    listener.reset();
                else
                    listener->close();
                co_await test::turns(3);
            }
            co_await test::turns(3);
            EXPECT_EQ(test::open_descriptors(), before) << is_dropped;
        }
    };
    // A full submission queue is flushed in the middle of a turn, which leaves completions unseen for a
    // while.
    run_bounded(main(), runtime_options().io(io::backend_options().queue_entries(2)));
}

TEST(tcp_listener, keeps_a_connection_that_races_with_a_dropped_accept) {
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

TEST(tcp_listener, keeps_a_connection_whose_accept_was_answered_but_not_resumed) {
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

TEST(tcp_listener, is_a_sequence_that_ends_when_it_is_closed) {
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

TEST(tcp_listener, ends_a_pending_next_when_it_is_closed_by_another_task) {
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

TEST(tcp_listener, keeps_a_connection_for_which_a_next_that_was_dropped_waited) {
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

TEST(tcp_listener, waits_while_descriptors_are_short_and_goes_on_when_there_are_some) {
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

TEST(tcp_listener, keeps_a_connection_whose_accept_was_dropped_in_a_shortage) {
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

TEST(tcp_listener, may_be_closed_and_destroyed_in_a_shortage) {
    const auto main = []() -> task<> {
        for (const bool is_closed : {true, false}) {
            std::optional listener(tcp_listener::bind(endpoint::loopback_ipv4(0)));
            auto client = plain_socket::connect(listener->local_endpoint().port());
            std::optional<handle<tcp_stream>> accepting(spawn(accept_from(*listener)));
            const no_more_descriptors full;
            co_await turns_until_short(*listener, 1);
            if (is_closed) {
                listener->close();
                const auto ended = co_await as_result(std::move(*accepting));
                EXPECT_EQ(ended.error(), std::errc::operation_canceled);
            }
            accepting.reset();
            listener.reset();
            co_await sleep_for(std::chrono::milliseconds(30));
        }
    };
    run_bounded(main());
}

task<std::size_t> serve_one(io::plain_descriptor taken) {
    tcp_stream stream(taken.release());
    const buffer_lease request = co_await stream.read_leased();
    co_await stream.write_all(request.bytes());
    co_return request.size();
}

/// Receives at a descriptor whose number was another's just now.
task<> expect_datagram() {
    udp_socket socket = udp_socket::bind(endpoint::loopback_ipv4(0));
    std::array<std::byte, 4> memory{};
    const auto receive = [&]() -> task<> { co_await socket.receive_from(memory); };
    auto receiving = spawn(receive());
    co_await test::turns(3);
    co_await socket.send_to(as_bytes("x"), socket.local_endpoint());
    co_await with_timeout(std::move(receiving), std::chrono::seconds(30));
}

TEST(tcp_listener, hands_connections_to_other_workers) {
    const auto main = []() -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        for (std::size_t round = 0; round < 30; ++round) {
            auto client = plain_socket::connect(listener.local_endpoint().port());
            tcp_stream accepted = co_await listener.accept();
            if (round % 2 != 0) {  // used here before
                std::array<std::byte, 1> memory{};
                const auto read = [&]() -> task<std::size_t> { co_return co_await accepted.read(memory); };
                auto reading = spawn(read());
                co_await test::turns(2);
                EXPECT_TRUE(client.send_all("?", 1));
                const std::size_t size = co_await std::move(reading);
                EXPECT_EQ(size, 1U);
            }
            auto serving = runtime::current().spawn_on(round % 3, serve_one(accepted.release()));
            EXPECT_FALSE(accepted.is_open());
            EXPECT_TRUE(client.send_all("word", 4));
            const std::size_t served = co_await std::move(serving);
            EXPECT_EQ(served, 4U);
            std::array<char, 4> answer{};
            EXPECT_TRUE(client.receive_exactly(answer.data(), answer.size()));
            EXPECT_EQ(client.receive(answer.data(), answer.size()), 0);
            co_await expect_datagram();
        }
        auto client = plain_socket::connect(listener.local_endpoint().port());
        tcp_stream accepted = co_await listener.accept();
        static_cast<void>(accepted.release());  // nobody takes it over
        char byte = 0;
        EXPECT_EQ(client.receive(&byte, 1), 0);
    };
    const std::size_t before = test::open_descriptors();
    run_bounded(main(), runtime_options().workers(3));
    EXPECT_EQ(test::open_descriptors(), before);
}

TEST(tcp_listener, shares_its_port_with_those_of_other_workers) {
    std::atomic<int> served = 0;
    std::atomic<int> listening = 0;
    const auto serve = [](std::uint16_t port, std::atomic<int>& ready, std::atomic<int>& count) -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(port), listen_options().reuse_port(true));
        ++ready;
        for (;;) {
            auto stream = co_await listener.accept();
            co_await stream.write_all(as_bytes("x"));
            ++count;
        }
    };
    const auto main = [](auto work, std::atomic<int>& ready, std::atomic<int>& count) -> task<> {
        auto first = tcp_listener::bind(endpoint::loopback_ipv4(0), listen_options().reuse_port(true));
        const auto port = first.local_endpoint().port();
        std::vector<remote_handle<>> serving;
        for (std::size_t index = 0; index < 3; ++index)
            serving.push_back(runtime::current().spawn_on(index, work(port, ready, count)));
        co_await test::turns_until([&ready] { return ready == 3; });
        first.close();
        co_await test::turns(2);
        constexpr int connections = 200;
        for (int at = 0; at < connections; ++at) {
            auto stream = co_await tcp_stream::connect(endpoint::loopback_ipv4(port));
            const auto lease = co_await stream.read_leased();
            EXPECT_EQ(lease.size(), 1u);
        }
        co_await test::turns_until([&count] { return count == connections; });
        for (auto& each : serving)
            co_await each.cancel();
    };
    run_bounded(main(serve, listening, served), runtime_options().workers(3));
}

#ifndef NDEBUG
TEST(tcp_listener_death_test, takes_one_accept_at_a_time) {
    ::testing::FLAGS_gtest_death_test_style = "threadsafe";
    const auto main = []() -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        auto first = spawn(accept_from(listener));
        auto second = spawn(accept_from(listener));
        co_await test::turns(2);
    };
    EXPECT_DEATH(run(main()), "one accept at a time");
}

TEST(tcp_listener_death_test, accepts_on_the_worker_that_bound_it) {
    ::testing::FLAGS_gtest_death_test_style = "threadsafe";
    const auto main = []() -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        const auto elsewhere = [&listener] { return accept_from(listener); };
        co_await runtime::current().spawn_on(1, elsewhere);
    };
    EXPECT_DEATH(run_bounded(main(), runtime_options().workers(2)), "on the worker that bound it");
}
#endif

}  // namespace
}  // namespace eddy
