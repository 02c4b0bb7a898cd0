// How connections end: by halves, by a reset, and by close() of another task.

#include "io_scenarios/streams.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/sleep.hpp>

#include <array>
#include <cstddef>
#include <system_error>

namespace eddy::test::closing_test {
namespace {

task<> answer_after_the_end(tcp_stream& stream) {
    co_await read_to_end(stream, 400);
    co_await send_and_end(stream, 600);
}

task<> ask_and_end(tcp_stream& stream) {
    co_await send_and_end(stream, 400);
    co_await read_leases_to_end(stream, 600);
}

task<> half_closes() {
    auto pair = co_await connected_streams();
    co_await when_all(answer_after_the_end(pair.server), ask_and_end(pair.client));
    std::array<std::byte, 1> out{};
    const std::size_t after_end = co_await pair.server.read(out);
    require(after_end == 0, "the end of the stream has gone");
}

task<> finds_end_again_and_again() {
    auto pair = co_await connected_streams();
    pair.client.close();
    std::array<std::byte, 1> out{};
    for (int time = 0; time < 2; ++time) {
        const buffer_lease leased = co_await pair.server.read_leased();
        const std::size_t count = co_await pair.server.read(out);
        require(leased.empty() && count == 0, "bytes after the end");
    }
}

bool is_reset(const std::error_code& error) {
    if (error == std::errc::not_enough_memory)
        throw std::system_error(error);
    return error == std::errc::connection_reset || error == std::errc::broken_pipe;
}

task<> find_reset_by_reading(tcp_stream& stream) {
    const auto received = co_await as_result(stream.read_leased());
    require(!received && is_reset(received.error()), "a reset is no error");
}

task<> find_reset_by_borrowing(tcp_stream& stream) {
    std::array<std::byte, 10> out{};
    const auto received = co_await as_result(stream.read(out));
    require(!received && is_reset(received.error()), "a reset is no error");
}

task<> find_reset_by_writing(tcp_stream& stream) {
    for (;;) {
        const auto sent = co_await as_result(stream.write_all(numbered));
        if (sent)
            continue;
        require(is_reset(sent.error()), "a reset is another error");
        co_return;
    }
}

task<> reset_later(tcp_stream& stream) {
    co_await sleep_for(std::chrono::microseconds(100));
    reset(stream);
}

task<> is_reset_while_it_leases() {
    auto pair = co_await connected_streams();
    co_await when_all(find_reset_by_reading(pair.server), reset_later(pair.client));
}

task<> is_reset_while_it_reads() {
    auto pair = co_await connected_streams();
    co_await when_all(find_reset_by_borrowing(pair.server), reset_later(pair.client));
}

task<> is_reset_while_it_writes() {
    auto pair = co_await connected_streams();
    hold_little(pair.server);
    hold_little(pair.client);
    co_await when_all(find_reset_by_writing(pair.server), reset_later(pair.client));
}

template <class Result>
void require_cancelled(const Result& outcome) {
    require_error(outcome, std::errc::operation_canceled, "close() ended nothing");
}

task<> lease_until_closed(tcp_stream& stream) {
    require_cancelled(co_await as_result(stream.read_leased()));
}

task<> read_until_closed(tcp_stream& stream) {
    std::array<std::byte, 10> out{};
    require_cancelled(co_await as_result(stream.read(out)));
}

task<> write_until_closed(tcp_stream& stream) {
    for (;;) {
        const auto sent = co_await as_result(stream.write_all(numbered));
        if (sent)
            continue;
        require_cancelled(sent);
        co_return;
    }
}

task<> close_later(tcp_stream& stream) {
    co_await sleep_for(std::chrono::microseconds(100));
    stream.close();
}

task<> closes_under_a_lease_and_a_write() {
    auto pair = co_await connected_streams();
    hold_little(pair.server);
    hold_little(pair.client);
    co_await when_all(lease_until_closed(pair.server), write_until_closed(pair.server),
                      close_later(pair.server));
}

task<> closes_under_a_read() {
    auto pair = co_await connected_streams();
    co_await when_all(read_until_closed(pair.server), close_later(pair.server));
}

task<> closes_with_bytes_unread() {
    auto pair = co_await connected_streams();
    co_await pair.client.write_all(numbered_front(1000));
    std::array<std::byte, 10> out{};
    co_await pair.server.read(out);
    {
        const buffer_lease kept = co_await pair.server.read_leased();
        pair.server.close();
        require(count_numbered(kept.bytes(), out.size()) == kept.size(), "a lease outlives its stream");
    }
    // The system has given the bytes to the stream, so the peer sees an end, not a reset.
    const buffer_lease end = co_await pair.client.read_leased();
    require(end.empty(), "bytes that nobody sent");
}

const scenario_suite listed({
    {"a_half_closed_connection", &half_closes},
    {"the_end_of_a_stream", &finds_end_again_and_again},
    {"a_reset_during_a_leased_read", &is_reset_while_it_leases},
    {"a_reset_during_a_read", &is_reset_while_it_reads},
    {"a_reset_during_a_write", &is_reset_while_it_writes},
    {"a_close_during_a_leased_read_and_a_write", &closes_under_a_lease_and_a_write},
    {"a_close_during_a_read", &closes_under_a_read},
    {"a_close_with_bytes_unread", &closes_with_bytes_unread},
});

}  // namespace
}  // namespace eddy::test::closing_test
