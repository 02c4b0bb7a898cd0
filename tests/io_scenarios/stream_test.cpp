// Streams in memory, and what reads and writes any stream through a buffer.

#include "io_scenarios/streams.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/fs/names.hpp>
#include <eddy/fs/temporary.hpp>
#include <eddy/os/pipe.hpp>
#include <eddy/stream/any_stream.hpp>
#include <eddy/stream/buffered_reader.hpp>
#include <eddy/stream/buffered_writer.hpp>
#include <eddy/stream/copy.hpp>
#include <eddy/stream/duplex.hpp>
#include <eddy/stream/idle_timeout.hpp>
#include <eddy/stream/split.hpp>
#include <eddy/stream/throttled.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

namespace eddy::test::stream_test {
namespace {

constexpr std::size_t some = 300;

template <class Sink>
task<> write_and_end(Sink& to, std::size_t size) {
    const tracked local;
    const std::size_t sent = co_await to.write_all(numbered_front(size));
    require(sent == size, "a write of all wrote less");
    co_await to.shutdown();
}

template <class Source>
task<> take_to_end(Source& from, std::size_t size) {
    const tracked local;
    buffered_reader<Source&> reader(from, 64);
    const std::span<const std::byte> all = co_await reader.read_to_end(size);
    require(all.size() == size && count_numbered(all, 0) == size, "bytes out of place");
}

task<> goes_through_memory() {
    auto pair = duplex(100);
    co_await when_all(write_and_end(pair.first, some), write_and_end(pair.second, some),
                      take_to_end(pair.first, some), take_to_end(pair.second, some));
}

task<> expect_lines(duplex_stream& from) {
    const tracked local;
    buffered_reader<duplex_stream&> reader(from, 4);
    for (const std::string_view line : {"first", "second", "third"}) {
        const std::optional<std::string_view> read = co_await reader.read_line(10);
        require(read == line, "another line");
    }
    const std::span<const std::byte> part = co_await reader.read_until(";", 10);
    require(as_text(part) == "part;", "another part");
    co_await reader.skip(3);
    const std::span<const std::byte> rest = co_await reader.read_exactly(2);
    require(as_text(rest) == "de", "another rest");
}

task<> say_lines(duplex_stream& to) {
    const tracked local;
    co_await to.write_all(as_bytes("first\nsecond\r\nthi"));
    co_await to.write_all(as_bytes("rd\npart;abcde"));
    to.close();
}

task<> reads_lines() {
    auto pair = duplex(5);
    co_await when_all(say_lines(pair.first), expect_lines(pair.second));
}

task<> gives_up_a_line_and_reads_it_later() {
    auto pair = duplex(100);
    buffered_reader<duplex_stream&> reader(pair.first, 4);
    co_await pair.second.write_all(as_bytes("half and "));
    const auto late = co_await as_result(with_timeout(reader.read_line(100), short_wait));
    require_error(late, std::errc::timed_out, "there was no line");
    co_await pair.second.write_all(as_bytes("half\n"));
    const std::optional<std::string_view> line = co_await with_timeout(reader.read_line(100), long_wait);
    require(line == "half and half", "a byte was lost");
}

task<> write_through_buffer(tcp_stream& to, std::size_t size) {
    const tracked local;
    buffered_writer<tcp_stream&> writer(to, 100);
    for (std::size_t at = 0; at < size; at += 60)
        co_await writer.write(numbered_front(size).subspan(at, std::min<std::size_t>(60, size - at)));
    co_await writer.shutdown();
}

task<> writes_through_a_buffer() {
    auto pair = co_await connected_streams();
    co_await when_all(write_through_buffer(pair.client, some), read_to_end(pair.server, some));
}

task<> gives_up_a_flush_and_goes_on() {
    auto pair = duplex(100);
    buffered_writer<duplex_stream&> writer(pair.first, some);
    co_await writer.write_all(numbered_front(some));
    const auto late = co_await as_result(with_timeout(writer.flush(), short_wait));
    require_error(late, std::errc::timed_out, "nobody reads");
    co_await when_all(writer.shutdown(), take_to_end(pair.second, some));
}

template <class From, class To>
task<> copy_and_end(From& from, To& to, std::size_t size) {
    const tracked local;
    const auto count = co_await copy(from, to);
    require(count == size, "another number of bytes was copied");
    co_await to.shutdown();
}

task<> copy_and_close(tcp_stream& from, pipe_writer& to) {
    const tracked local;
    co_await copy(from, to);
    to.close();
}

task<> copies() {
    auto pair = co_await connected_streams();
    auto first = duplex(100);
    auto last = duplex(100);
    co_await when_all(write_and_end(first.first, some), copy_and_end(first.second, pair.client, some),
                      copy_and_end(pair.server, last.first, some), take_to_end(last.second, some));
}

task<> copies_by_the_system() {
    auto first = co_await connected_streams();
    pipe_ends pipe_between = pipe();
    auto last = co_await connected_streams();
    co_await when_all(write_and_end(first.client, some), copy_and_close(first.server, pipe_between.writer),
                      copy_and_end(pipe_between.reader, last.client, some), take_to_end(last.server, some));
}

task<> copies_a_file_by_the_system() {
    temporary_directory place = co_await fs::make_temporary_directory();
    file from = co_await fs::open(place.at("from"), open_options().read().write().create());
    file to = co_await fs::open(place.at("to"), open_options().write().create());
    co_await from.write_all(numbered_front(some));
    from.seek(0);
    const std::uint64_t count = co_await copy(from, to);
    require(count == some && from.position() == some && to.size() == some, "another number of bytes");
    co_await place.remove();
}

task<> reads_and_writes_by_halves() {
    auto pair = co_await connected_streams();
    auto halves = split(std::move(pair.client));
    co_await when_all(write_and_end(halves.writer, some), echo_to_end(pair.server),
                      take_to_end(halves.reader, some));
}

task<> echo_to_any_end(any_stream stream) {
    const tracked local;
    std::array<std::byte, 50> room{};
    for (;;) {
        const std::size_t count = co_await stream.read(room);
        if (count == 0)
            break;
        co_await stream.write_all(std::span<const std::byte>(room).first(count));
    }
    co_await stream.shutdown();
}

task<> echoes_without_knowing_the_type() {
    auto connection = co_await connected_streams();
    auto pipe = duplex(100);
    co_await when_all(write_and_end(connection.client, some), take_to_end(connection.client, some),
                      echo_to_any_end(any_stream(std::move(connection.server))),
                      write_and_end(pipe.first, some), take_to_end(pipe.first, some),
                      echo_to_any_end(any_stream(std::move(pipe.second))));
}

task<> is_throttled() {
    constexpr std::uint64_t bytes_per_s = 200'000;
    auto pair = duplex(100);
    throttled<duplex_stream&> writer(pair.first, byte_rate(bytes_per_s, 100), byte_rate(bytes_per_s, 100));
    throttled<duplex_stream&> reader(pair.second, byte_rate(bytes_per_s, 50), byte_rate(bytes_per_s, 50));
    co_await when_all(write_and_end(writer, some), take_to_end(reader, some));
}

task<> is_idle_for_too_long() {
    auto pair = duplex(100);
    idle_timeout<duplex_stream&> watched(pair.first, short_wait);
    std::array<std::byte, 10> out{};
    const auto late = co_await as_result(watched.read(out));
    require_error(late, std::errc::timed_out, "nothing was sent");
    const auto stuck = co_await as_result(watched.write_all(numbered_front(some)));
    require_error(stuck, std::errc::timed_out, "nobody reads");
    co_await pair.second.write_all(as_bytes("late"));
    const std::size_t count = co_await watched.read(out);
    require(count == 4, "a byte was lost");
}

const scenario_suite listed({
    {"a_pipe_in_memory", &goes_through_memory},
    {"lines_from_a_buffered_reader", &reads_lines},
    {"a_line_that_is_late", &gives_up_a_line_and_reads_it_later},
    {"a_buffered_writer", &writes_through_a_buffer},
    {"a_flush_that_nobody_reads", &gives_up_a_flush_and_goes_on},
    {"a_copy_over_a_connection", &copies},
    {"a_copy_by_the_system", &copies_by_the_system},
    {"a_copy_of_a_file_by_the_system", &copies_a_file_by_the_system},
    {"halves_of_a_connection", &reads_and_writes_by_halves},
    {"streams_of_any_type", &echoes_without_knowing_the_type},
    {"a_throttled_stream", &is_throttled},
    {"a_stream_with_an_idle_timeout", &is_idle_for_too_long},
});

}  // namespace
}  // namespace eddy::test::stream_test
