#include "support/no_allocation.hpp"
#include "support/run_bounded.hpp"
#include "support/stream_pair.hpp"
#include "support/turns.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/detail/frame_cache.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/stream/any_stream.hpp>
#include <eddy/stream/buffered_reader.hpp>
#include <eddy/stream/buffered_writer.hpp>
#include <eddy/stream/duplex.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <expected>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::any_stream_test {
namespace {

using namespace std::chrono_literals;
using test::run_bounded;

static_assert(byte_stream<any_stream>);
static_assert(leasing_source<any_stream>);

/// A stream whose operations are tasks, and whose awaiters are large.
class stream_of_tasks {
public:
    explicit stream_of_tasks(duplex_stream stream) : stream_(std::move(stream)) {}

    task<std::size_t> read(std::span<std::byte> out) { co_return co_await stream_.read(out); }
    auto write(std::span<const std::byte> bytes) { return large_write(stream_, bytes); }
    task<std::size_t> write_all(std::span<const std::byte> bytes) {
        co_return co_await stream_.write_all(bytes);
    }
    task<std::size_t> write_all(std::span<const_buffer> all) { co_return co_await stream_.write_all(all); }
    task<> shutdown() { co_await stream_.shutdown(); }
    void close() { stream_.close(); }

private:
    class large_write : public detail::channel_write {
    public:
        large_write(duplex_stream& to, std::span<const std::byte> bytes) : channel_write(to.write(bytes)) {}

    private:
        [[maybe_unused]] std::array<std::byte, 1000> ballast_{};
    };

    duplex_stream stream_;
};

task<> echo(any_stream stream) {
    std::array<std::byte, 3> room{};
    for (;;) {
        const std::size_t count = co_await stream.read(room);
        if (count == 0)
            break;
        const auto heard = std::span<const std::byte>(room).first(count);
        const std::size_t sent = co_await stream.write(heard.first(1));
        std::array<const_buffer, 1> rest{const_buffer(heard.subspan(sent))};
        co_await stream.write_all(std::span<const_buffer>(rest));
    }
    co_await stream.shutdown();
    stream.close();
}

template <class Stream>
task<> say(Stream& stream) {
    co_await stream.write_all(as_bytes("to the wall and back"));
    co_await stream.shutdown();
}

template <class Stream>
task<> hear(Stream& stream) {
    buffered_reader<Stream&> reader(stream);
    EXPECT_EQ(as_text(co_await reader.read_to_end(100)), "to the wall and back");
}

// At the same time, since the way there and back has room for less.
template <class Stream>
task<> expect_echo(Stream& stream) {
    co_await when_all(say(stream), hear(stream));
}

TEST(any_stream, holds_a_pipe_in_memory) {
    run_bounded([]() -> task<> {
        auto pair = duplex(4);
        co_await when_all(echo(any_stream(std::move(pair.first))), expect_echo(pair.second));
    }());
}

TEST(any_stream, holds_a_connection) {
    run_bounded([]() -> task<> {
        auto pair = co_await test::connected_streams();
        co_await when_all(echo(any_stream(std::move(pair.server))), expect_echo(pair.client));
    }());
}

TEST(any_stream, holds_a_stream_of_tasks_and_of_large_operations) {
    run_bounded([]() -> task<> {
        auto pair = duplex(4);
        co_await when_all(echo(any_stream(stream_of_tasks(std::move(pair.first)))), expect_echo(pair.second));
    }());
}

TEST(any_stream, may_be_chosen_at_run_time) {
    run_bounded([]() -> task<> {
        auto connection = co_await test::connected_streams();
        auto pipe = duplex(10);
        std::vector<any_stream> streams;
        streams.emplace_back(std::move(connection.server));
        streams.emplace_back(std::move(pipe.first));
        for (any_stream& each : streams)
            EXPECT_EQ(co_await each.write_all(as_bytes("hello")), 5U);
        EXPECT_EQ(as_text((co_await connection.client.read_leased()).bytes()), "hello");
    }());
}

TEST(a_dropped_read_of_any_stream, loses_no_byte) {
    run_bounded([]() -> task<> {
        auto pair = duplex(10);
        any_stream stream(std::move(pair.first));
        std::array<std::byte, 10> out{};
        const auto late = co_await as_result(with_timeout(stream.read(out), 1ms));
        EXPECT_EQ(late.error(), std::errc::timed_out);
        auto reads = spawn([](any_stream& from, std::span<std::byte> room) -> task<> {
            co_await from.read(room);
        }(stream, out));
        co_await test::turns(2);
        co_await pair.second.write_all(as_bytes("kept"));
        EXPECT_FALSE(reads.done());
        reads.cancel();
        EXPECT_EQ(co_await stream.read(out), 4U);
        EXPECT_EQ(as_text(std::span(out).first(4)), "kept");
    }());
}

task<> expect_leases(any_stream stream, any_stream other) {
    co_await other.write_all(as_bytes("lent"));
    EXPECT_EQ(as_text((co_await stream.read_leased()).bytes()), "lent");
    other.close();
    EXPECT_TRUE((co_await stream.read_leased()).empty());
}

TEST(any_stream, lends_what_has_arrived_whether_or_not_its_stream_does) {
    run_bounded([]() -> task<> {
        auto connection = co_await test::connected_streams();
        co_await expect_leases(any_stream(std::move(connection.server)),
                               any_stream(std::move(connection.client)));
        auto pipe = duplex(10);
        co_await expect_leases(any_stream(std::move(pipe.first)), any_stream(std::move(pipe.second)));
    }());
}

TEST(a_dropped_lease_of_any_stream, loses_no_byte) {
    run_bounded([]() -> task<> {
        auto pair = duplex(10);
        any_stream stream(std::move(pair.first));
        const auto late = co_await as_result(with_timeout(stream.read_leased(), 1ms));
        EXPECT_EQ(late.error(), std::errc::timed_out);
        co_await pair.second.write_all(as_bytes("kept"));
        EXPECT_EQ(as_text((co_await stream.read_leased()).bytes()), "kept");
    }());
}

TEST(any_stream, gives_what_has_arrived_if_its_stream_can) {
    const auto main = []() -> task<> {
        auto pair = co_await test::connected_streams();
        any_stream connection(std::move(pair.server));
        co_await pair.client.write_all(as_bytes("abcdef"));
        std::array<std::byte, 3> start{};
        const std::size_t count = co_await connection.read(start);
        EXPECT_EQ(as_text(std::span(start).first(count)), "abc");
        std::array<std::byte, 100> rest{};
        const std::size_t more = connection.try_read(rest);
        EXPECT_EQ(as_text(std::span(rest).first(more)), "def");

        auto [left, right] = duplex(100);
        any_stream in_memory(std::move(left));
        co_await right.write_all(as_bytes("abc"));
        EXPECT_EQ(in_memory.try_read(rest), 0U);
        const std::size_t waited_for = co_await in_memory.read(rest);
        EXPECT_EQ(waited_for, 3U);
    };
    run_bounded(main());
}

TEST(any_stream, writes_what_goes_at_once_if_its_stream_can) {
    const auto main = []() -> task<> {
        auto pair = co_await test::connected_streams();
        any_stream connection(std::move(pair.client));
        const const_buffer parts[] = {const_buffer("abc", 3), const_buffer("def", 3)};
        EXPECT_EQ(connection.try_write(parts), 6U);
        std::array<std::byte, 6> memory{};
        for (std::size_t total = 0; total < memory.size();)
            total += co_await pair.server.read(std::span(memory).subspan(total));
        EXPECT_EQ(as_text(memory), "abcdef");
        any_stream in_memory(duplex(100).first);
        EXPECT_EQ(in_memory.try_write(parts), 0U);
    };
    run_bounded(main());
}

TEST(any_stream, has_an_end_for_the_system_if_its_stream_has) {
    run_bounded([]() -> task<> {
        auto connection = co_await test::connected_streams();
        EXPECT_TRUE(any_stream(std::move(connection.server)).splice_sink().has_value());
        EXPECT_FALSE(any_stream(std::move(duplex(10).first)).splice_sink().has_value());
    }());
}

TEST(any_stream, passes_on_errors) {
    run_bounded([]() -> task<> {
        auto pair = duplex(10);
        any_stream stream(std::move(pair.first));
        pair.second.close();
        const auto written = co_await as_result(stream.write(as_bytes("x")));
        EXPECT_EQ(written.error(), std::errc::broken_pipe);
    }());
}

/// A stream whose reads fail, and say so without throwing.
class failing_stream {
public:
    class failing_read {
    public:
        failing_read() noexcept {}
        bool await_ready() const noexcept { return true; }
        void await_suspend(detail::suspension) const noexcept {}
        std::size_t await_resume() const {
            ADD_FAILURE() << "asked in the way that throws";
            throw std::system_error(std::make_error_code(std::errc::connection_reset));
        }
        std::expected<std::size_t, std::error_code> outcome() const noexcept {
            return std::unexpected(std::make_error_code(std::errc::connection_reset));
        }
        bool is_pending() const noexcept { return false; }
        void interrupt() noexcept {}
    };

    explicit failing_stream(duplex_stream stream) : stream_(std::move(stream)) {}
    failing_read read(std::span<std::byte>) noexcept { return {}; }
    auto write(std::span<const std::byte> bytes) { return stream_.write(bytes); }
    auto write_all(std::span<const std::byte> bytes) { return stream_.write_all(bytes); }
    auto write_all(std::span<const_buffer> all) { return stream_.write_all(all); }
    auto shutdown() { return stream_.shutdown(); }
    void close() { stream_.close(); }

private:
    duplex_stream stream_;
};

TEST(an_error_as_a_result_of_any_stream, is_not_thrown_on_the_way) {
    run_bounded([]() -> task<> {
        any_stream stream(failing_stream(std::move(duplex(1).first)));
        std::array<std::byte, 1> out{};
        const auto plain = co_await as_result(stream.read(out));
        EXPECT_EQ(plain.error(), std::errc::connection_reset);
        const auto timed = co_await as_result(with_timeout(stream.read(out), 1s));
        EXPECT_EQ(timed.error(), std::errc::connection_reset);
    }());
}

TEST(a_timeout_of_any_stream, allocates_nothing_around_an_operation) {
    run_bounded([]() -> task<> {
        auto pair = co_await test::connected_streams();
        any_stream stream(std::move(pair.server));
        std::array<std::byte, 1> out{};
        // The worker makes its buffers at the first lease.
        static_cast<void>(co_await as_result(with_timeout(stream.read_leased(), 1ms)));
        detail::frame_cache::trim();  // what it holds would be used first
        const test::no_allocation watched;
        const auto late = co_await as_result(with_timeout(stream.read(out), 1ms));
        EXPECT_EQ(late.error(), std::errc::timed_out);
        const auto lease = co_await as_result(with_timeout(stream.read_leased(), 1ms));
        EXPECT_EQ(lease.error(), std::errc::timed_out);
    }());
}

TEST(a_timeout_of_any_stream, drops_operations_that_are_tasks) {
    run_bounded([]() -> task<> {
        auto pair = duplex(4);
        any_stream stream(stream_of_tasks(std::move(pair.first)));
        std::array<std::byte, 4> out{};
        bool is_late = false;
        try {
            co_await with_timeout(stream.read(out), 1ms);
        } catch (const std::system_error& error) {
            is_late = error.code() == std::errc::timed_out;
        }
        EXPECT_TRUE(is_late);
        co_await pair.second.write_all(as_bytes("kept"));
        EXPECT_EQ(co_await with_timeout(stream.read(out), 1s), 4U);
    }());
}

/// A stream whose operations are those of another any_stream.
class forwarding_stream {
public:
    explicit forwarding_stream(any_stream& to) noexcept : to_(to) {}
    auto read(std::span<std::byte> out) { return to_.read(out); }
    auto write(std::span<const std::byte> bytes) { return to_.write(bytes); }
    auto write_all(std::span<const std::byte> bytes) { return to_.write_all(bytes); }
    auto write_all(std::span<const_buffer> all) { return to_.write_all(all); }
    auto shutdown() { return to_.shutdown(); }
    void close() { to_.close(); }

private:
    any_stream& to_;
};

TEST(a_timeout_of_any_stream, drops_tasks_of_another_any_stream) {
    run_bounded([]() -> task<> {
        auto pair = duplex(4);
        any_stream inner(stream_of_tasks(std::move(pair.first)));
        any_stream outer{forwarding_stream(inner)};
        std::array<std::byte, 4> out{};
        const auto late = co_await as_result(with_timeout(outer.read(out), 1ms));
        EXPECT_EQ(late.error(), std::errc::timed_out);
        co_await pair.second.write_all(as_bytes("kept"));
        EXPECT_EQ(co_await outer.read(out), 4U);
    }());
}

TEST(a_dropped_flush_to_any_stream, knows_what_was_sent) {
    run_bounded([]() -> task<> {
        auto pair = duplex(4);
        any_stream stream(std::move(pair.first));
        buffered_writer<any_stream&> writer(stream);
        co_await writer.write_all(as_bytes("in two parts"));
        const auto late = co_await as_result(with_timeout(writer.flush(), 1ms));
        EXPECT_EQ(late.error(), std::errc::timed_out);
        EXPECT_EQ(as_text(writer.pending()), "wo parts");
        co_await when_all(writer.flush(), [](duplex_stream& from) -> task<> {
            buffered_reader<duplex_stream&> reader(from);
            EXPECT_EQ(as_text(co_await reader.read_exactly(12)), "in two parts");
        }(pair.second));
    }());
}

}  // namespace
}  // namespace eddy::any_stream_test
