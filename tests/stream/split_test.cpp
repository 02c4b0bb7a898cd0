#include "support/run_bounded.hpp"
#include "support/stream_pair.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/stream/buffered_reader.hpp>
#include <eddy/stream/buffered_writer.hpp>
#include <eddy/stream/copy.hpp>
#include <eddy/stream/duplex.hpp>
#include <eddy/stream/split.hpp>

#include <gtest/gtest.h>

#include <optional>
#include <utility>

namespace eddy::split_test {
namespace {

using test::run_bounded;

static_assert(byte_source<read_half<duplex_stream>> && !leasing_source<read_half<duplex_stream>>);
static_assert(vectored_sink<write_half<duplex_stream>>);
static_assert(leasing_source<read_half<tcp_stream>> && vectored_sink<write_half<tcp_stream>>);

task<> say_by_half(write_half<duplex_stream> to) {
    co_await to.write_all(as_bytes("from one task"));
    co_await to.shutdown();
}
task<> hear_by_half(read_half<duplex_stream> from) {
    buffered_reader<read_half<duplex_stream>&> reader(from);
    EXPECT_EQ(as_text(co_await reader.read_to_end(100)), "to another");
}
task<> talk(duplex_stream& to) {
    co_await to.write_all(as_bytes("to another"));
    buffered_reader<duplex_stream&> reader(to);
    EXPECT_EQ(as_text(co_await reader.read_to_end(100)), "from one task");
    co_await to.shutdown();
}

TEST(a_split_stream, is_read_by_one_task_and_written_by_another) {
    run_bounded([]() -> task<> {
        auto pair = duplex(3);
        auto halves = split(std::move(pair.first));
        co_await when_all(say_by_half(std::move(halves.writer)), hear_by_half(std::move(halves.reader)),
                          talk(pair.second));
    }());
}

TEST(a_split_stream, is_closed_with_its_last_half) {
    run_bounded([]() -> task<> {
        auto pair = duplex(10);
        auto halves = split(std::move(pair.first));
        std::optional writer(std::move(halves.writer));
        std::optional reader(std::move(halves.reader));
        writer.reset();
        EXPECT_EQ(co_await pair.second.write_all(as_bytes("still")), 5U);
        reader.reset();
        const auto refused = co_await as_result(pair.second.write(as_bytes("no more")));
        EXPECT_FALSE(refused.has_value());
    }());
}

TEST(a_split_stream, that_belongs_to_somebody_else_stays_open) {
    run_bounded([]() -> task<> {
        auto pair = co_await test::connected_streams();
        {
            auto halves = split(pair.client);
            co_await halves.writer.write_all(as_bytes("echo"));
            auto others = split(pair.server);
            const buffer_lease heard = co_await others.reader.read_leased();
            EXPECT_EQ(as_text(heard.bytes()), "echo");
            EXPECT_EQ(&halves.reader.stream(), &pair.client);
        }
        EXPECT_TRUE(pair.client.is_open());
    }());
}

}  // namespace
}  // namespace eddy::split_test
