// Pipes: what fits, what waits for the other end, what is given up.

#include "support/numbered_bytes.hpp"
#include "support/scenario_suite.hpp"
#include "support/scratch_directory.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/combine/when_all.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/os/pipe.hpp>
#include <eddy/os/standard_streams.hpp>
#include <eddy/runtime/sleep.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>

namespace eddy::test::pipe_test {
namespace {

constexpr auto short_wait = std::chrono::milliseconds(1);
constexpr auto long_wait = std::chrono::seconds(30);

const auto numbered = [] {
    std::array<std::byte, 300'000> bytes{};
    fill_numbered(bytes, 0);
    return bytes;
}();

task<> write_and_end(pipe_writer& to, std::size_t size) {
    const std::size_t written = co_await to.write_all(std::span(numbered).first(size));
    require(written == size, "a write of all wrote less");
    to.close();
}

task<> write_by_and_by(pipe_writer& to, std::size_t size) {
    auto left = std::span(numbered).first(size);
    while (!left.empty())
        left = left.subspan(co_await to.write(left));
    to.close();
}

task<> read_to_end(pipe_reader& from, std::size_t size) {
    std::array<std::byte, 8192> out{};
    std::size_t place = 0;
    for (;;) {
        const std::size_t count = co_await from.read(out);
        if (count == 0)
            break;
        require(count_numbered(std::span(out).first(count), place) == count, "bytes out of place");
        place += count;
    }
    require(place == size, "another number of bytes");
}

task<> carries_little() {
    auto ends = pipe();
    co_await when_all(read_to_end(ends.reader, 1000), write_and_end(ends.writer, 1000));
}

task<> carries_much() {
    auto ends = pipe();
    co_await when_all(read_to_end(ends.reader, numbered.size()), write_and_end(ends.writer, numbered.size()));
}

task<> carries_some_of_much() {
    auto ends = pipe();
    co_await when_all(write_by_and_by(ends.writer, numbered.size()),
                      read_to_end(ends.reader, numbered.size()));
}

task<> gives_up_a_read() {
    auto ends = pipe();
    std::array<std::byte, 100> out{};
    const auto late = co_await as_result(with_timeout(ends.reader.read(out), short_wait));
    require_error(late, std::errc::timed_out, "nobody has written");
    co_await ends.writer.write_all(std::span(numbered).first(100));
    const std::size_t count = co_await with_timeout(ends.reader.read(out), long_wait);
    require(count_numbered(std::span(out).first(count), 0) == 100, "bytes were lost");
}

task<> gives_up_a_write() {
    auto ends = pipe();
    const auto late = co_await as_result(with_timeout(ends.writer.write_all(numbered), short_wait));
    require_error(late, std::errc::timed_out, "nobody has read");
    std::array<std::byte, 100> out{};
    const std::size_t count = co_await ends.reader.read(out);
    require(count_numbered(std::span(out).first(count), 0) == count, "bytes out of place");
}

task<> write_parts(pipe_writer& to, std::span<const_buffer> parts) {
    co_await to.write_all(parts);
    to.close();
}

task<> races_a_read_and_a_timer() {
    auto ends = pipe();
    std::array<std::byte, 100> out{};
    co_await ends.writer.write_all(std::span(numbered).first(100));
    const auto won = co_await race(ends.reader.read(out), sleep_for(long_wait));
    require(won.index() == 0, "half a minute was not enough");
}

task<> write_lines(pipe_writer& to) {
    co_await to.write_all(as_bytes("first "));
    co_await sleep_for(short_wait);
    co_await to.write_all(as_bytes("line\nsecond line\nrest"));
    to.close();
}

task<> expect_lines(input_stream& from) {
    for (const char* const expected : {"first line", "second line", "rest"}) {
        const auto line = co_await from.read_line();
        require(line.has_value() && *line == expected, "another line");
    }
    const auto end = co_await from.read_line();
    require(!end.has_value(), "a line after the end");
}

task<> reads_lines() {
    auto ends = pipe();
    input_stream lines(ends.reader.descriptor());
    co_await when_all(expect_lines(lines), write_lines(ends.writer));
}

task<> writes_several_buffers() {
    auto ends = pipe();
    auto all = std::span(numbered).first(150'000);
    std::array<const_buffer, 3> parts{const_buffer(all.first(10)), const_buffer(all.subspan(10, 100'000)),
                                      const_buffer(all.subspan(100'010))};
    co_await when_all(write_parts(ends.writer, parts), read_to_end(ends.reader, all.size()));
}

/// What a dropped run leaves there the next puts up with.
const scratch_directory place;

task<std::string> make_named_pipe() {
    std::string path = place.at("fifo");
    const auto made = co_await as_result(make_fifo(path));
    if (!made && made.error() != std::errc::file_exists)
        throw std::system_error(made.error(), "mkfifo");
    co_return path;
}

task<> opens_a_named_pipe() {
    const std::string path = co_await make_named_pipe();
    auto reader = co_await open_fifo_reader(path);
    auto writer = co_await open_fifo_writer(path);
    co_await when_all(read_to_end(reader, 1000), write_and_end(writer, 1000));
}

task<> open_and_write(std::string path) {
    auto writer = co_await open_fifo_writer(std::move(path));
    co_await write_and_end(writer, 1000);
}

task<> open_and_read(std::string path) {
    co_await sleep_for(short_wait);
    auto reader = co_await open_fifo_reader(std::move(path));
    co_await read_to_end(reader, 1000);
}

task<> waits_for_a_reader() {
    const std::string path = co_await make_named_pipe();
    co_await when_all(open_and_write(path), open_and_read(path));
}

const scenario_suite listed({
    {"a_pipe_that_carries_little", &carries_little},
    {"a_pipe_that_carries_much", &carries_much},
    {"a_pipe_that_carries_some_of_much", &carries_some_of_much},
    {"a_read_of_a_pipe_that_is_given_up", &gives_up_a_read},
    {"a_write_to_a_pipe_that_is_given_up", &gives_up_a_write},
    {"a_race_of_a_pipe_and_a_timer", &races_a_read_and_a_timer},
    {"lines_from_a_pipe", &reads_lines},
    {"several_buffers_to_a_pipe", &writes_several_buffers},
    {"a_named_pipe", &opens_a_named_pipe},
    {"a_named_pipe_that_nobody_reads_yet", &waits_for_a_reader},
});

}  // namespace
}  // namespace eddy::test::pipe_test
