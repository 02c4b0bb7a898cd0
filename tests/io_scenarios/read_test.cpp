// Reading: into borrowed memory and by leases, what is small and what is larger than the sockets hold.

#include "io_scenarios/streams.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/runtime/sleep.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <system_error>

namespace eddy::test::read_test {
namespace {

constexpr std::size_t small = 500;
constexpr std::size_t large = 200'000;

task<> reads_what_is_small() {
    auto pair = co_await connected_streams();
    co_await when_all(send_and_end(pair.client, small), read_to_end(pair.server, small));
}

task<> leases_what_is_small() {
    auto pair = co_await connected_streams();
    co_await when_all(send_and_end(pair.client, small), read_leases_to_end(pair.server, small));
}

task<> reads_what_is_large() {
    auto pair = co_await connected_streams();
    hold_little(pair.client);
    co_await when_all(send_and_end(pair.client, large), read_to_end(pair.server, large));
}

task<> leases_what_is_large() {
    auto pair = co_await connected_streams();
    hold_little(pair.client);
    co_await when_all(send_and_end(pair.client, large), read_leases_to_end(pair.server, large));
}

task<> reads_in_both_ways_by_turns() {
    auto pair = co_await connected_streams();
    co_await pair.client.write_all(numbered_front(300));
    {
        const buffer_lease first = co_await pair.server.read_leased();
        require(count_numbered(first.bytes(), 0) == 300, "the first lease");
    }
    std::array<std::byte, 100> out{};
    co_await pair.client.write_all(numbered_front(300));
    for (std::size_t place = 0; place < 300; place += out.size()) {
        const std::size_t count = co_await pair.server.read(out);
        require(count == out.size() && count_numbered(out, place) == count, "a read after a lease");
    }
}

task<> read_first(tcp_stream& from, std::span<std::byte> out) {
    std::size_t place = 0;
    while (place < out.size())
        place += co_await from.read(out.subspan(place));
    require(count_numbered(out, 0) == out.size(), "bytes out of place");
}

task<> send_in_pieces(tcp_stream& to, std::size_t size) {
    constexpr std::size_t piece = 50;
    for (std::size_t at = 0; at < size; at += piece) {
        co_await to.write_all(numbered_front(size).subspan(at, piece));
        co_await sleep_for(std::chrono::microseconds(50));
    }
}

task<> reads_as_it_comes() {
    auto pair = co_await connected_streams();
    std::array<std::byte, 400> out{};
    co_await when_all(send_in_pieces(pair.client, out.size()), read_first(pair.server, out));
}

task<> loses_nothing_by_a_timeout() {
    auto pair = co_await connected_streams();
    std::array<std::byte, 400> out{};
    const auto late = co_await as_result(with_timeout(pair.server.read(out), short_wait));
    require_error(late, std::errc::timed_out, "a read of nothing");
    const auto later = co_await as_result(with_timeout(pair.server.read_leased(), short_wait));
    require_error(later, std::errc::timed_out, "a lease of nothing");
    co_await pair.client.write_all(numbered_front(out.size()));
    co_await read_first(pair.server, out);
}

task<> reads_in_time() {
    auto pair = co_await connected_streams();
    co_await pair.client.write_all(numbered_front(200));
    std::array<std::byte, 100> out{};
    const std::size_t count = co_await with_timeout(pair.server.read(out), long_wait);
    require(count_numbered(std::span(out).first(count), 0) == count, "bytes out of place");
    const buffer_lease rest = co_await with_timeout(pair.server.read_leased(), long_wait);
    require(count_numbered(rest.bytes(), count) == rest.size(), "leased bytes out of place");
}

const scenario_suite listed({
    {"a_small_read", &reads_what_is_small},
    {"a_small_leased_read", &leases_what_is_small},
    {"a_large_read", &reads_what_is_large},
    {"a_large_leased_read", &leases_what_is_large},
    {"leases_and_borrowed_reads", &reads_in_both_ways_by_turns},
    {"reads_of_pieces", &reads_as_it_comes},
    {"reads_that_are_late", &loses_nothing_by_a_timeout},
    {"reads_in_time", &reads_in_time},
});

}  // namespace
}  // namespace eddy::test::read_test
