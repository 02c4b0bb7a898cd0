#include "support/run_bounded.hpp"
#include "support/stream_pair.hpp"
#include "support/turns.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/stream/any_stream.hpp>
#include <eddy/stream/buffered_reader.hpp>
#include <eddy/stream/buffered_writer.hpp>
#include <eddy/stream/duplex.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy {
namespace {

using namespace std::chrono_literals;
using test::run_bounded;

static_assert(byte_stream<any_stream>);

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

TEST(any_stream, passes_on_errors) {
    run_bounded([]() -> task<> {
        auto pair = duplex(10);
        any_stream stream(std::move(pair.first));
        pair.second.close();
        const auto written = co_await as_result(stream.write(as_bytes("x")));
        EXPECT_EQ(written.error(), std::errc::broken_pipe);
    }());
}

}  // namespace
}  // namespace eddy
