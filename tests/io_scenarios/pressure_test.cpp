// Scarce resources: few receive buffers, few entries of the submission queue, few resumptions a turn.

#include "io_scenarios/streams.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/io/backend_options.hpp>
#include <eddy/runtime/runtime_options.hpp>

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace eddy::test::pressure_test {
namespace {

constexpr std::size_t few_buffers = 4;
constexpr std::size_t buffer_bytes = 512;

testing::scenario_options with(const io::backend_options& options) {
    return suite_options().runtime(runtime_options().workers(1).io(options));
}

testing::scenario_options short_of_buffers() {
    return with(io::backend_options().receive_buffers_max(few_buffers).receive_buffer_bytes(buffer_bytes));
}

testing::scenario_options short_of_entries() {
    return with(io::backend_options().queue_entries(2));
}

testing::scenario_options short_of_both() {
    return with(io::backend_options()
                    .receive_buffers_max(few_buffers)
                    .receive_buffer_bytes(buffer_bytes)
                    .queue_entries(2));
}

task<> exchange(stream_pair& pair, std::size_t size) {
    co_await when_all(send_and_end(pair.client, size), echo_to_end(pair.server),
                      read_leases_to_end(pair.client, size));
}

task<> exchanges_at_once() {
    auto one = co_await connected_streams();
    auto two = co_await connected_streams();
    auto three = co_await connected_streams();
    co_await when_all(exchange(one, 10), exchange(two, 3000), exchange(three, 6000));
}

/// Leases hold every buffer while another stream reads.
task<> reads_while_all_buffers_are_lent() {
    auto holder = co_await connected_streams();
    auto reader = co_await connected_streams();
    std::vector<buffer_lease> held;
    held.reserve(few_buffers);
    while (held.size() < few_buffers) {
        co_await holder.client.write_all(numbered_front(buffer_bytes));
        held.push_back(co_await holder.server.read_leased());
    }
    std::array<std::byte, 100> out{};
    co_await reader.client.write_all(numbered_front(out.size()));
    const std::size_t count = co_await reader.server.read(out);
    require(count_numbered(std::span(out).first(count), 0) == count, "bytes out of place");
    held.clear();
    co_await exchange(reader, 2000);
}

/// Nobody reads what arrives at one stream, and another goes on.
task<> leaves_a_stream_unread() {
    auto unread = co_await connected_streams();
    auto reader = co_await connected_streams();
    co_await unread.client.write_all(numbered_front(2 * few_buffers * buffer_bytes));
    {
        const buffer_lease first = co_await unread.server.read_leased();
        require(count_numbered(first.bytes(), 0) == first.size(), "bytes out of place");
    }
    co_await exchange(reader, 4000);
    co_await yield();
}

const scenario_suite listed({
    {"exchanges_with_few_buffers", &exchanges_at_once, short_of_buffers().stride(3)},
    {"exchanges_with_few_entries", &exchanges_at_once, short_of_entries().stride(3)},
    {"exchanges_with_few_of_both", &exchanges_at_once, short_of_both().stride(3)},
    {"a_read_while_all_buffers_are_lent", &reads_while_all_buffers_are_lent, short_of_both()},
    {"a_stream_that_is_not_read", &leaves_a_stream_unread, short_of_buffers()},
});

}  // namespace
}  // namespace eddy::test::pressure_test
