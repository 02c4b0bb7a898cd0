#include "support/gate.hpp"
#include "support/run_bounded.hpp"
#include "support/turns.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/runtime/runtime.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::with_timeout_test {
namespace {

using namespace std::chrono_literals;

struct stream_pair {
    tcp_stream client;
    tcp_stream server;
};

task<stream_pair> connected() {
    tcp_listener listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
    tcp_stream client = co_await tcp_stream::connect(listener.local_endpoint());
    tcp_stream server = co_await listener.accept();
    co_return stream_pair{std::move(client), std::move(server)};
}

std::vector<std::byte> sample(std::size_t size) {
    std::vector<std::byte> bytes(size);
    for (std::size_t at = 0; at < size; ++at)
        bytes[at] = static_cast<std::byte>(at * 7 + at / 251);
    return bytes;
}

TEST(with_timeout, gives_what_came_in_time) {
    test::run_bounded([]() -> task<> {
        auto [client, server] = co_await connected();
        co_await client.write_all(as_bytes("here"));
        const auto lease = co_await with_timeout(server.read_leased(), 10s);
        EXPECT_EQ(as_text(lease.bytes()), "here");
    }());
}

TEST(with_timeout, throws_timed_out_for_a_leased_read) {
    test::run_bounded([]() -> task<> {
        auto pair = co_await connected();
        bool is_late = false;
        try {
            co_await with_timeout(pair.server.read_leased(), 1ms);
        } catch (const std::system_error& error) {
            is_late = error.code() == std::errc::timed_out;
        }
        EXPECT_TRUE(is_late);
    }());
}

TEST(with_timeout, gives_timed_out_as_a_result) {
    test::run_bounded([]() -> task<> {
        auto pair = co_await connected();
        std::byte byte{};
        const auto late = co_await as_result(with_timeout(pair.server.read(std::span(&byte, 1)), 1ms));
        EXPECT_FALSE(late.has_value());
        if (!late) {
            EXPECT_EQ(late.error(), std::errc::timed_out);
        }
    }());
}

TEST(with_timeout, loses_nothing_of_a_stream_whose_reads_time_out) {
    test::run_bounded([]() -> task<> {
        auto pair = co_await connected();
        const auto bytes = sample(200'000);
        auto writer = spawn([](tcp_stream& to, std::span<const std::byte> all) -> task<> {
            co_await to.write_all(all);
            co_await to.shutdown();
        }(pair.client, bytes));
        std::vector<std::byte> seen;
        std::vector<std::byte> room(1000);
        for (bool is_open = true; is_open;) {
            // A deadline that has passed races with whatever there is.
            auto lease = co_await as_result(with_timeout(pair.server.read_leased(), 0ms));
            if (lease)
                seen.insert(seen.end(), lease->bytes().begin(), lease->bytes().end());
            is_open = !lease || !lease->empty();
            if (!is_open)
                break;
            const auto count = co_await as_result(with_timeout(pair.server.read(room), 0ms));
            if (count)
                seen.insert(seen.end(), room.begin(), room.begin() + static_cast<std::ptrdiff_t>(*count));
            is_open = !count || *count != 0;
        }
        co_await writer;
        EXPECT_TRUE(seen == bytes) << seen.size();
    }());
}

TEST(with_timeout, leaves_the_next_connection_to_the_next_accept) {
    test::run_bounded([]() -> task<> {
        tcp_listener listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        const auto late = co_await as_result(with_timeout(listener.accept(), 1ms));
        EXPECT_FALSE(late.has_value());
        const tcp_stream client = co_await tcp_stream::connect(listener.local_endpoint());
        const auto accepted = co_await as_result(with_timeout(listener.accept(), 10s));
        EXPECT_TRUE(accepted.has_value());
    }());
}

// More than the system buffers, to a peer that does not read.
TEST(with_timeout, does_not_give_a_whole_write_that_was_cut_short_as_done) {
    test::run_bounded([]() -> task<> {
        auto pair = co_await connected();
        const auto bytes = sample(64 << 20);
        const auto sent =
            co_await as_result(with_timeout(pair.client.write_all(std::span<const std::byte>(bytes)), 20ms));
        EXPECT_FALSE(sent.has_value()) << "said to have sent " << *sent;
        if (!sent) {
            EXPECT_EQ(sent.error(), std::errc::timed_out);
        }
        const auto half = std::span<const std::byte>(bytes).first(bytes.size() / 2);
        std::array<const_buffer, 2> parts = {const_buffer(half.data(), half.size()),
                                             const_buffer(half.data(), half.size())};
        const auto vectored =
            co_await as_result(with_timeout(pair.client.write_all(std::span<const_buffer>(parts)), 20ms));
        EXPECT_FALSE(vectored.has_value()) << "said to have sent " << *vectored;
    }());
}

TEST(with_timeout, gives_the_whole_of_a_write_that_is_in_time) {
    test::run_bounded([]() -> task<> {
        auto pair = co_await connected();
        const auto bytes = sample(8 << 20);
        auto reader = spawn([](tcp_stream& from) -> task<std::size_t> {
            std::size_t total = 0;
            for (;;) {
                const auto lease = co_await from.read_leased();
                if (lease.empty())
                    co_return total;
                total += lease.size();
            }
        }(pair.server));
        EXPECT_EQ(co_await with_timeout(pair.client.write_all(std::span<const std::byte>(bytes)), 60s),
                  bytes.size());
        co_await pair.client.shutdown();
        EXPECT_EQ(co_await reader, bytes.size());
    }());
}

TEST(with_timeout, takes_the_operation_back_when_it_is_dropped) {
    test::run_bounded([]() -> task<> {
        auto pair = co_await connected();
        auto reader = spawn(
            [](tcp_stream& from) -> task<> { co_await with_timeout(from.read_leased(), 10s); }(pair.server));
        co_await yield();
        reader.cancel();
        co_await pair.client.write_all(as_bytes("kept"));
        const auto lease = co_await pair.server.read_leased();
        EXPECT_EQ(as_text(lease.bytes()), "kept");
    }());
}

TEST(with_deadline, ends_the_operation_at_a_deadline_that_has_passed) {
    test::run_bounded([]() -> task<> {
        auto pair = co_await connected();
        const auto late =
            co_await as_result(with_deadline(pair.server.read_leased(), worker::current().turn_time() - 1s));
        EXPECT_FALSE(late.has_value());
    }());
}

// A write that close() has cut short must not go on: its descriptor's number may be another connection's.
TEST(with_timeout, does_not_let_a_write_go_on_after_a_close) {
    test::run_bounded([]() -> task<> {
        auto pair = co_await connected();
        const auto bytes = sample(64 << 20);
        std::error_code seen;
        auto writer =
            spawn([](tcp_stream& to, std::span<const std::byte> all, std::error_code& error) -> task<> {
                const auto sent = co_await as_result(with_timeout(to.write_all(all), 60s));
                error = sent ? std::error_code() : sent.error();
            }(pair.client, bytes, seen));
        co_await pair.server.read_leased();
        pair.client.close();
        auto other = co_await connected();
        co_await writer;
        EXPECT_EQ(seen, std::errc::operation_canceled) << seen.message();
        for (auto* const end : {&other.client, &other.server}) {
            const auto stray = co_await as_result(with_timeout(end->read_leased(), 1ms));
            EXPECT_FALSE(stray.has_value()) << "bytes of another connection";
        }
    }());
}

task<int> number_after(test::gate& opened, int value) {
    co_await opened;
    co_return value;
}

TEST(with_timeout_around_a_task, gives_its_result_or_its_exception) {
    const auto fail = []() -> task<> {
        co_await yield();
        throw std::runtime_error("no");
    };
    const auto work = [](auto failing) -> task<> {
        test::gate opened;
        opened.open();
        const int value = co_await with_timeout(number_after(opened, 4), 10s);
        EXPECT_EQ(value, 4);
        bool has_thrown = false;
        try {
            co_await with_timeout(failing(), 10s);
        } catch (const std::runtime_error&) {
            has_thrown = true;
        }
        EXPECT_TRUE(has_thrown);
    };
    test::run_bounded(work(fail));
}

TEST(with_timeout_around_a_task, drops_it_at_the_deadline) {
    const auto work = []() -> task<> {
        test::gate never;
        const auto late = co_await as_result(with_timeout(number_after(never, 4), 1ms));
        EXPECT_FALSE(late.has_value());
        EXPECT_EQ(late.error(), std::errc::timed_out);
        EXPECT_FALSE(never.has_waiter());
        std::error_code thrown;
        try {
            co_await with_deadline(number_after(never, 4), time_point::min());
        } catch (const std::system_error& error) {
            thrown = error.code();
        }
        EXPECT_EQ(thrown, std::errc::timed_out);
        EXPECT_FALSE(never.has_waiter());
    };
    test::run_bounded(work());
}

TEST(with_timeout_around_a_task, leaves_the_task_of_a_handle_running) {
    const auto work = []() -> task<> {
        test::gate opened;
        auto running = spawn(number_after(opened, 4));
        const auto late = co_await as_result(with_timeout(running, 1ms));
        EXPECT_FALSE(late.has_value());
        opened.open();
        const int value = co_await running;
        EXPECT_EQ(value, 4);
    };
    test::run_bounded(work());
}

TEST(with_timeout_around_a_task, takes_an_error_code_from_within) {
    const auto work = []() -> task<> {
        const auto refused =
            co_await as_result(with_timeout(tcp_stream::connect(endpoint::loopback_ipv4(1)), 10s));
        EXPECT_FALSE(refused.has_value());
        EXPECT_EQ(refused.error(), std::errc::connection_refused);
    };
    test::run_bounded(work());
}

TEST(with_timeout_around_a_task, is_dropped_with_it) {
    const auto wait = [](test::gate& closed) -> task<> {
        co_await with_timeout(number_after(closed, 1), 10s);
    };
    const auto work = [](auto waiting) -> task<> {
        test::gate never;
        auto running = spawn(waiting(never));
        co_await test::turns(2);
        EXPECT_TRUE(never.has_waiter());
        running.cancel();
        EXPECT_FALSE(never.has_waiter());
    };
    test::run_bounded(work(wait));
}

TEST(with_timeout_around_a_task, nests) {
    const auto work = []() -> task<> {
        test::gate never;
        const auto outer = co_await as_result(with_timeout(with_timeout(number_after(never, 1), 10s), 1ms));
        EXPECT_FALSE(outer.has_value());
        const auto inner = co_await as_result(with_timeout(with_timeout(number_after(never, 1), 1ms), 10s));
        EXPECT_FALSE(inner.has_value());
        EXPECT_FALSE(never.has_waiter());
    };
    test::run_bounded(work());
}

}  // namespace
}  // namespace eddy::with_timeout_test
