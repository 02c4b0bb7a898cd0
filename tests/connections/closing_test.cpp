// What peers that go away, and close() by another task, do to operations.

#include "support/free_port.hpp"
#include "support/numbered_bytes.hpp"
#include "support/plain_socket.hpp"
#include "support/run_bounded.hpp"
#include "support/stream_pair.hpp"
#include "support/turns.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/net/tcp_stream.hpp>
#include <eddy/runtime/runtime.hpp>

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::closing_test {
namespace {

using test::connected_streams;
using test::plain_socket;
using test::run_bounded;

task<std::error_code> read_in_place(tcp_stream& stream) {
    std::array<std::byte, 64> memory;
    const auto result = co_await as_result(stream.read(memory));
    co_return result ? std::error_code() : result.error();
}

task<std::error_code> read_leased(tcp_stream& stream) {
    const auto result = co_await as_result(stream.read_leased());
    co_return result ? std::error_code() : result.error();
}

constexpr std::size_t much = 32U << 20;

task<std::error_code> write_much(tcp_stream& stream) {
    const std::vector<std::byte> bytes(much, std::byte{0xee});
    const auto result = co_await as_result(stream.write_all(bytes));
    co_return result ? std::error_code() : result.error();
}

task<std::error_code> write_much_vectored(tcp_stream& stream) {
    const std::vector<std::byte> bytes(much / 2, std::byte{0xee});
    std::array<const_buffer, 2> buffers{const_buffer(bytes), const_buffer(bytes)};
    const auto result = co_await as_result(stream.write_all(buffers));
    co_return result ? std::error_code() : result.error();
}

using operation_on_stream = task<std::error_code> (*)(tcp_stream&);

class operation_on_a_closed_stream : public ::testing::TestWithParam<operation_on_stream> {};

TEST_P(operation_on_a_closed_stream, ends_with_operation_canceled) {
    const auto main = [](operation_on_stream operation) -> task<> {
        for (const int turns : {0, 1, 2, 5}) {
            auto pair = co_await connected_streams();
            auto pending = spawn(operation(pair.server));
            if (turns == 0)
                co_await yield();
            co_await test::turns(turns);
            EXPECT_FALSE(pending.done());
            pair.server.close();
            EXPECT_FALSE(pair.server.is_open());
            EXPECT_EQ(co_await pending, std::errc::operation_canceled) << "after turns: " << turns;
        }
    };
    run_bounded(main(GetParam()));
}

TEST_P(operation_on_a_closed_stream, does_not_touch_the_next_stream_of_the_same_number) {
    const auto main = [](operation_on_stream operation) -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        for (int round = 0; round < 20; ++round) {
            auto pair = co_await connected_streams();
            auto pending = spawn(operation(pair.server));
            co_await test::turns(3);
            pair.server.close();
            // New sockets take over the number as soon as it is free.
            std::vector<tcp_stream> clients;
            std::vector<tcp_stream> servers;
            for (int at = 0; at < 4; ++at) {
                clients.push_back(co_await tcp_stream::connect(listener.local_endpoint()));
                servers.push_back(co_await listener.accept());
            }
            EXPECT_EQ(co_await pending, std::errc::operation_canceled);
            co_await test::turns(3);
            for (auto* side : {&clients, &servers})
                for (auto& stream : *side)
                    co_await stream.write_all(as_bytes("."));
            for (auto* side : {&clients, &servers}) {
                for (auto& stream : *side) {
                    const auto lease = co_await stream.read_leased();
                    EXPECT_EQ(as_text(lease.bytes()), ".") << "bytes of another stream";
                }
            }
        }
    };
    run_bounded(main(GetParam()));
}

TEST_P(operation_on_a_closed_stream, that_is_begun_after_the_close_fails) {
    const auto main = [](operation_on_stream operation) -> task<> {
        auto pair = co_await connected_streams();
        pair.server.close();
        pair.server.close();
        const auto error = co_await operation(pair.server);
        EXPECT_TRUE(error == std::errc::operation_canceled || error == std::errc::bad_file_descriptor)
            << error.message();
    };
    run_bounded(main(GetParam()));
}

TEST_P(operation_on_a_closed_stream, ends_with_an_error_when_the_peer_resets_the_connection) {
    const auto main = [](operation_on_stream operation) -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        auto client = plain_socket::connect(listener.local_endpoint().port());
        auto server = co_await listener.accept();
        auto pending = spawn(operation(server));
        co_await test::turns(3);
        client.reset();
        const auto error = co_await pending;
        EXPECT_TRUE(error == std::errc::connection_reset || error == std::errc::broken_pipe)
            << error.message();
        const auto later = co_await operation(server);
        // An error is told once by the system; then the connection is just closed.
        EXPECT_TRUE(!later || later == std::errc::connection_reset || later == std::errc::broken_pipe)
            << later.message();
    };
    run_bounded(main(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(tcp_stream, operation_on_a_closed_stream,
                         ::testing::Values(&read_in_place, &read_leased, &write_much, &write_much_vectored));

TEST(whole_write, that_times_out_after_a_part_is_no_success) {
    const auto main = []() -> task<> {
        const std::vector<std::byte> bytes(much);
        {
            auto pair = co_await connected_streams();
            const auto result =
                co_await as_result(with_timeout(pair.server.write_all(bytes), std::chrono::milliseconds(20)));
            EXPECT_EQ(result ? std::error_code() : result.error(), std::errc::timed_out);
        }
    };
    run_bounded(main());
}

TEST(tcp_stream_whose_peer_has_gone, gives_broken_pipe_and_no_signal) {
    const auto main = []() -> task<std::error_code> {
        auto pair = co_await connected_streams();
        pair.client.close();
        for (;;) {
            const auto result = co_await as_result(pair.server.write_all(as_bytes("anyone?")));
            if (!result)
                co_return result.error();
            co_await test::turns(1);
        }
    };
    const auto error = run_bounded(main());
    EXPECT_TRUE(error == std::errc::broken_pipe || error == std::errc::connection_reset) << error.message();
}

TEST(tcp_stream_whose_peer_has_gone, throws_where_nothing_else_was_asked_for) {
    const auto main = []() -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        auto client = plain_socket::connect(listener.local_endpoint().port());
        auto server = co_await listener.accept();
        client.reset();
        std::array<std::byte, 4> memory;
        co_await server.read(memory);
    };
    try {
        run_bounded(main());
        ADD_FAILURE() << "nothing thrown";
    } catch (const std::system_error& caught) {
        EXPECT_EQ(caught.code(), std::errc::connection_reset);
    }
}

TEST(tcp_stream_whose_peer_has_gone, gives_the_bytes_before_the_reset_only_if_they_had_arrived) {
    const auto main = []() -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        auto client = plain_socket::connect(listener.local_endpoint().port());
        auto server = co_await listener.accept();
        {
            auto arming = spawn(read_leased(server));  // the pooled receive goes on after it
            client.send_all("first", 5);
            EXPECT_FALSE(co_await arming);
        }
        client.send_all("second", 6);
        co_await test::turns(3);
        client.reset();
        co_await test::turns(3);
        const auto bytes = co_await as_result(server.read_leased());
        if (bytes) {
            EXPECT_EQ(as_text(bytes->bytes()), "second");
            const auto end = co_await as_result(server.read_leased());
            EXPECT_TRUE(!end.has_value() || end->empty());
        }
    };
    run_bounded(main());
}

TEST(connecting, to_nobody_is_refused) {
    const auto main = []() -> task<> {
        endpoint nobody;
        {
            auto listener = tcp_listener::bind(endpoint::loopback_ipv4(test::free_port()));
            nobody = listener.local_endpoint();
        }
        co_await test::turns(2);
        try {
            auto stream = co_await tcp_stream::connect(nobody);
            ADD_FAILURE() << "connected";
        } catch (const std::system_error& caught) {
            EXPECT_EQ(caught.code(), std::errc::connection_refused);
        }
    };
    run_bounded(main());
}

TEST(shutdown, of_a_connection_that_was_reset_is_an_error_or_nothing) {
    const auto main = []() -> task<> {
        auto pair = co_await connected_streams();
        pair.client.close();
        pair.server.close();
        const auto result = co_await as_result(pair.server.shutdown());
        EXPECT_FALSE(result.has_value());
    };
    run_bounded(main());
}

TEST(shutdown, of_receiving_ends_a_pending_read) {
    const auto main = []() -> task<> {
        auto pair = co_await connected_streams();
        auto reading = spawn(read_leased(pair.server));
        co_await test::turns(2);
        co_await pair.server.shutdown(direction::receiving);
        EXPECT_FALSE(co_await reading);
    };
    run_bounded(main());
}

#ifndef NDEBUG
void read_twice(operation_on_stream first, operation_on_stream second) {
    const auto main = [](operation_on_stream one, operation_on_stream other) -> task<> {
        auto pair = co_await connected_streams();
        auto reading = spawn(one(pair.server));
        auto also_reading = spawn(other(pair.server));
        co_await test::turns(2);
    };
    run(main(first, second));
}

TEST(tcp_stream_death_test, takes_one_read_and_one_write_at_a_time) {
    ::testing::FLAGS_gtest_death_test_style = "threadsafe";
    EXPECT_DEATH(read_twice(&read_in_place, &read_in_place), "one read at a time");
    EXPECT_DEATH(read_twice(&read_leased, &read_leased), "one read at a time");
    EXPECT_DEATH(read_twice(&read_leased, &read_in_place), "one read at a time");
    EXPECT_DEATH(read_twice(&read_in_place, &read_leased), "one read at a time");
    EXPECT_DEATH(read_twice(&write_much, &write_much_vectored), "one write at a time");
}
#endif

}  // namespace
}  // namespace eddy::closing_test
