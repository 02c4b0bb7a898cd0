#include "support/numbered_bytes.hpp"
#include "support/run_bounded.hpp"
#include "support/stream_pair.hpp"
#include "support/turns.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/stream/buffered_reader.hpp>
#include <eddy/stream/copy.hpp>
#include <eddy/stream/duplex.hpp>

#include <gtest/gtest.h>

#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy {
namespace {

using test::run_bounded;

constexpr std::size_t total = 500'000;

template <class Sink>
task<> send_numbered_and_end(Sink& to) {
    std::vector<std::byte> bytes(total);
    test::fill_numbered(bytes, 0);
    co_await to.write_all(std::span<const std::byte>(bytes));
    co_await to.shutdown();
}

template <class Source, class Sink>
task<> copy_all(Source& from, Sink& to) {
    EXPECT_EQ(co_await copy(from, to), total);
    co_await to.shutdown();
}

template <class Source>
task<> expect_numbered(Source& from) {
    buffered_reader<Source&> reader(from);
    const std::span<const std::byte> all = co_await reader.read_to_end(total);
    EXPECT_EQ(all.size(), total);
    EXPECT_EQ(test::count_numbered(all, 0), total);
}

TEST(copy, takes_everything_from_a_pipe_to_a_connection) {
    run_bounded([]() -> task<> {
        auto [first, from] = duplex(1000);
        auto pair = co_await test::connected_streams();
        co_await when_all(send_numbered_and_end(first), copy_all(from, pair.client),
                          expect_numbered(pair.server));
    }());
}

TEST(copy, takes_everything_from_a_connection_to_a_pipe) {
    run_bounded([]() -> task<> {
        auto pair = co_await test::connected_streams();
        auto [to, last] = duplex(1000);
        co_await when_all(send_numbered_and_end(pair.client), copy_all(pair.server, to),
                          expect_numbered(last));
    }());
}

TEST(copy, takes_what_a_reader_has_read_ahead_first) {
    run_bounded([]() -> task<> {
        auto [first, from] = duplex(100);
        auto [to, last] = duplex(100);
        co_await first.write_all(as_bytes("line\nrest"));
        first.close();
        buffered_reader<duplex_stream&> reader(from);
        EXPECT_EQ(co_await reader.read_line(10), "line");
        EXPECT_EQ(co_await copy(reader, to), 4U);
        to.close();
        buffered_reader<duplex_stream&> copied(last);
        EXPECT_EQ(as_text(co_await copied.read_to_end(10)), "rest");
    }());
}

TEST(copy, leaves_in_a_reader_what_was_not_written_when_it_is_dropped) {
    run_bounded([]() -> task<> {
        auto [first, from] = duplex(100);
        auto [to, last] = duplex(2);
        co_await first.write_all(as_bytes("0123456"));
        buffered_reader<duplex_stream&> reader(from);
        auto copies = spawn([](buffered_reader<duplex_stream&>& source, duplex_stream& sink) -> task<> {
            co_await copy(source, sink);
        }(reader, to));
        co_await test::turns(3);
        copies.cancel();
        EXPECT_EQ(as_text(reader.buffered()), "23456");
    }());
}

TEST(copy, ends_with_the_error_of_the_sink) {
    run_bounded([]() -> task<> {
        auto [first, from] = duplex(100);
        auto [to, last] = duplex(2);
        co_await first.write_all(as_bytes("0123456"));
        last.close();
        const auto copied = co_await as_result(copy(from, to));
        EXPECT_EQ(copied.error(), std::errc::broken_pipe);
    }());
}

}  // namespace
}  // namespace eddy
