// Writing: some, all, and several buffers at once; what fits, and what waits for the reader.

#include "io_scenarios/streams.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/io/buffer.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <system_error>
#include <utility>

namespace eddy::test::write_test {
namespace {

constexpr std::size_t large = 200'000;

task<> write_by_and_by(tcp_stream& to, std::size_t size) {
    std::span<const std::byte> left = numbered_front(size);
    while (!left.empty())
        left = left.subspan(co_await to.write(left));
    co_await to.shutdown();
}

task<> writes_some() {
    auto pair = co_await connected_streams();
    co_await when_all(write_by_and_by(pair.client, 1000), read_leases_to_end(pair.server, 1000));
}

task<> writes_some_of_much() {
    auto pair = co_await connected_streams();
    hold_little(pair.client);
    co_await when_all(write_by_and_by(pair.client, large), read_to_end(pair.server, large));
}

task<> write_parts(tcp_stream& to, std::size_t first, std::size_t second, std::size_t third) {
    const auto bytes = numbered_front(first + second + third);
    std::array<const_buffer, 4> parts = {const_buffer(bytes.first(first)), const_buffer(),
                                         const_buffer(bytes.subspan(first, second)),
                                         const_buffer(bytes.subspan(first + second))};
    const std::size_t sent = co_await to.write_all(std::span<const_buffer>(parts));
    require(sent == bytes.size(), "a vectored write wrote less");
    co_await to.shutdown();
}

task<> writes_parts() {
    auto pair = co_await connected_streams();
    co_await when_all(write_parts(pair.client, 10, 1, 489), read_to_end(pair.server, 500));
}

task<> writes_large_parts() {
    auto pair = co_await connected_streams();
    hold_little(pair.client);
    co_await when_all(write_parts(pair.client, 10, large, large - 10),
                      read_leases_to_end(pair.server, 2 * large));
}

task<> writes_in_both_directions() {
    auto pair = co_await connected_streams();
    hold_little(pair.client);
    hold_little(pair.server);
    co_await when_all(send_and_end(pair.client, large), send_and_end(pair.server, large),
                      read_leases_to_end(pair.client, large), read_to_end(pair.server, large));
}

task<> gives_up_a_write_nobody_reads() {
    auto pair = co_await connected_streams();
    hold_little(pair.client);
    hold_little(pair.server);
    const auto some = co_await as_result(with_timeout(pair.client.write_all(numbered), short_wait));
    require_error(some, std::errc::timed_out, "all was written, but nobody reads");
    const buffer_lease received = co_await pair.server.read_leased();
    require(count_numbered(received.bytes(), 0) == received.size(), "bytes out of place");
}

task<> gives_up_parts_nobody_reads() {
    auto pair = co_await connected_streams();
    hold_little(pair.client);
    hold_little(pair.server);
    std::array<const_buffer, 2> parts = {const_buffer(numbered_front(100)), const_buffer(numbered)};
    const auto some =
        co_await as_result(with_timeout(pair.client.write_all(std::span<const_buffer>(parts)), short_wait));
    require_error(some, std::errc::timed_out, "all was written, but nobody reads");
}

task<> write_in_time(tcp_stream& to) {
    const std::size_t some = co_await with_timeout(to.write(numbered_front(100)), long_wait);
    const std::size_t rest =
        co_await with_timeout(to.write_all(numbered_front(large).subspan(some)), long_wait);
    require(some + rest == large, "a write in time wrote less");
    co_await with_timeout(to.shutdown(), long_wait);
}

task<> writes_in_time() {
    auto pair = co_await connected_streams();
    hold_little(pair.client);
    co_await when_all(write_in_time(pair.client), read_to_end(pair.server, large));
}

owned_bytes owned(std::size_t size) {
    owned_bytes made(size);
    fill_numbered(made.bytes(), 0);
    return made;
}

task<> write_owned(tcp_stream& to, std::size_t size) {
    const std::size_t sent = co_await to.write_all(owned(size));
    require(sent == size, "a write of all wrote less");
    co_await to.shutdown();
}

template <bool IsCopied>
task<> writes_what_it_owns() {
    auto pair = co_await connected_streams();
    hold_little(pair.client);
    if (!IsCopied)
        pair.client.set_zero_copy_above(100);
    co_await when_all(write_owned(pair.client, large), read_to_end(pair.server, large));
}

template <bool IsCopied>
task<> gives_up_what_it_owns() {
    auto pair = co_await connected_streams();
    hold_little(pair.client);
    hold_little(pair.server);
    if (!IsCopied)
        pair.client.set_zero_copy_above(100);
    auto writing = with_timeout(pair.client.write_all(owned(numbered.size())), short_wait);
    const auto some = co_await as_result(std::move(writing));
    require_error(some, std::errc::timed_out, "all was written, but nobody reads");
    const buffer_lease received = co_await pair.server.read_leased();
    require(count_numbered(received.bytes(), 0) == received.size(), "bytes out of place");
}

const scenario_suite listed({
    {"a_write_of_some", &writes_some},
    {"writes_of_some_of_much", &writes_some_of_much},
    {"a_vectored_write", &writes_parts},
    {"a_large_vectored_write", &writes_large_parts},
    {"writes_in_both_directions", &writes_in_both_directions},
    {"a_write_that_nobody_reads", &gives_up_a_write_nobody_reads},
    {"a_vectored_write_that_nobody_reads", &gives_up_parts_nobody_reads},
    {"writes_in_time", &writes_in_time},
    {"a_write_of_owned_bytes", &writes_what_it_owns<true>},
    {"a_write_without_a_copy", &writes_what_it_owns<false>},
    {"a_write_of_owned_bytes_that_nobody_reads", &gives_up_what_it_owns<true>},
    {"a_write_without_a_copy_that_nobody_reads", &gives_up_what_it_owns<false>},
});

}  // namespace
}  // namespace eddy::test::write_test
