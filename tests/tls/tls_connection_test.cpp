// Whatever is dropped or cannot be allocated, no byte is lost and nothing stays behind.

#include "support/numbered_bytes.hpp"
#include "support/run_bounded.hpp"
#include "support/stream_pair.hpp"
#include "support/time_bound.hpp"
#include "support/turns.hpp"
#include "tls/tls_pair.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/stream/any_stream.hpp>
#include <eddy/stream/stream_error.hpp>
#include <eddy/testing/drop_everywhere.hpp>
#include <eddy/testing/fail_allocation_everywhere.hpp>
#include <eddy/testing/replace_new.hpp>
#include <eddy/tls/tls_error.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace eddy::tls_connection_test {
namespace {

using namespace std::chrono_literals;
using testing::drop_everywhere;
using testing::scenario_options;

/// Made once: contexts are not what these tests are about.
const tls_context& server_context() {
    static const tls_context made(test::server_options());
    return made;
}
const tls_context& client_context() {
    static const tls_context made(test::client_options().sessions_max(0));
    return made;
}
const tls_context& pooled_context() {
    static const tls_context made(test::server_options().offload_handshakes(true));
    return made;
}

template <class Stream>
task<> read_leases(tls_stream<Stream>& from, std::size_t left) {
    while (left != 0) {
        const buffer_lease lease = co_await from.read_leased();
        left -= lease.size();
    }
}

/// A short conversation. `Stream` is what is below.
template <class Stream>
task<> talk(Stream here, Stream there, tls_context server) {
    auto ends =
        co_await test::secured(std::move(here), std::move(there), std::move(server), client_context());
    co_await test::write_text(ends.client, "question");
    const std::string question = co_await test::read_text(ends.server);
    auto answering =
        when_all(test::write_text(ends.server, std::string(30'000, 'x')), read_leases(ends.client, 30'000));
    co_await std::move(answering);
    co_await ends.client.shutdown();
    co_await test::read_whole(ends.server);
}

task<> talk_in_memory() {
    auto [here, there] = duplex(5000);
    co_await talk(std::move(here), std::move(there), server_context());
}

task<> talk_over_sockets() {
    auto below = co_await test::connected_streams();
    co_await talk(std::move(below.server), std::move(below.client), server_context());
}

/// A response that begins without waiting.
task<> talk_at_once() {
    auto below = co_await test::connected_streams();
    below.server.set_option(io::socket_option::send_buffer_bytes, 16 * 1024);
    auto ends = co_await test::secured(std::move(below.server), std::move(below.client), server_context(),
                                       client_context());
    const std::string much(150'000, 'x');
    const const_buffer tried{std::string_view(much)};
    const std::size_t taken = ends.server.try_write({&tried, 1});
    auto answering =
        when_all(test::write_text(ends.server, much.substr(taken)), read_leases(ends.client, much.size()));
    co_await std::move(answering);
}

task<> talk_with_the_pool() {
    auto [here, there] = duplex(5000);
    co_await talk(std::move(here), std::move(there), pooled_context());
}

void expect_clean_drops(task<> (*scenario)(), const char* name) {
    const test::time_bound bound;
    static_cast<void>(server_context());
    static_cast<void>(client_context());
    static_cast<void>(pooled_context());
    const auto found = drop_everywhere(scenario, scenario_options().name(name));
    EXPECT_TRUE(found) << found.message();
    EXPECT_GT(found.points(), 5U);
}

TEST(a_tls_stream_that_is_dropped, leaves_nothing_behind_in_memory) {
    expect_clean_drops(&talk_in_memory, "in memory");
}

TEST(a_tls_stream_that_is_dropped, leaves_nothing_behind_over_sockets) {
    expect_clean_drops(&talk_over_sockets, "over sockets");
}

TEST(a_tls_stream_that_is_dropped, leaves_nothing_behind_of_what_was_to_go_at_once) {
    expect_clean_drops(&talk_at_once, "at once");
}

TEST(a_tls_stream_that_is_dropped, leaves_nothing_behind_with_the_pool) {
    expect_clean_drops(&talk_with_the_pool, "with the pool");
}

void expect_clean_failures(task<> (*scenario)()) {
    const test::time_bound bound;
    static_cast<void>(server_context());
    static_cast<void>(client_context());
    const auto found =
        testing::fail_allocation_everywhere(scenario, scenario_options().name("talk").run_time_max(5s));
    EXPECT_TRUE(found) << found.message();
    EXPECT_GT(found.points(), 20U);
}

TEST(a_tls_stream_without_memory, fails_and_leaves_nothing_behind) {
    expect_clean_failures(&talk_in_memory);
}

TEST(a_tls_stream_without_memory, fails_and_leaves_nothing_behind_of_what_was_to_go_at_once) {
    expect_clean_failures(&talk_at_once);
}

// -- what a drop means for the data --

TEST(a_dropped_tls_read, loses_no_byte) {
    test::run_bounded([]() -> task<> {
        auto [here, there] = duplex(100);
        auto ends =
            co_await test::secured(std::move(here), std::move(there), server_context(), client_context());
        const std::size_t size = 20'000;
        std::vector<std::byte> sent(size);
        test::fill_numbered(sent, 0);
        auto writing = spawn([](tls_stream<duplex_stream>& to, std::span<const std::byte> bytes) -> task<> {
            co_await to.write_all(bytes);
        }(ends.client, sent));
        std::vector<std::byte> got;
        for (int round = 0; got.size() < size; ++round) {
            auto reading = spawn([](tls_stream<duplex_stream>& from, std::vector<std::byte>& to) -> task<> {
                const buffer_lease lease = co_await from.read_leased();
                to.insert(to.end(), lease.bytes().begin(), lease.bytes().end());
            }(ends.server, got));
            // Dropped after a growing number of turns, unless it has ended by then.
            co_await test::turns(round % 5);
            reading.cancel();
        }
        EXPECT_EQ(test::count_numbered(got, 0), size);
        co_await writing;
    }());
}

TEST(a_dropped_tls_write, sends_a_prefix_and_leaves_the_connection_good) {
    test::run_bounded([]() -> task<> {
        auto [here, there] = duplex(3000);
        auto ends =
            co_await test::secured(std::move(here), std::move(there), server_context(), client_context());
        const std::string first(100'000, 'a');
        auto dropped = spawn(test::write_text(ends.client, first));
        co_await test::turns(3);
        EXPECT_FALSE(dropped.done());
        dropped.cancel();
        auto rest = spawn([](tls_stream<duplex_stream>& to) -> task<> {
            co_await test::write_text(to, "behind it");
            co_await to.shutdown();
        }(ends.client));
        const std::string got = co_await test::read_whole(ends.server);
        co_await rest;
        const std::size_t prefix = got.find_first_not_of('a');
        EXPECT_GT(prefix, 0U);
        EXPECT_LE(prefix, first.size());
        EXPECT_EQ(got.substr(prefix), "behind it");
    }());
}

TEST(a_dropped_tls_write, is_finished_by_the_shutdown) {
    test::run_bounded([]() -> task<> {
        auto below = co_await test::connected_streams();
        auto ends = co_await test::secured(std::move(below.server), std::move(below.client), server_context(),
                                           client_context());
        auto dropped = spawn(test::write_text(ends.client, std::string(std::size_t{32} << 20, 'a')));
        co_await test::turns(3);
        EXPECT_FALSE(dropped.done());
        dropped.cancel();
        auto ending =
            spawn([](tls_stream<tcp_stream>& to) -> task<> { co_await to.shutdown(); }(ends.client));
        const std::string got = co_await test::read_whole(ends.server);
        EXPECT_EQ(got.find_first_not_of('a'), std::string::npos);
        EXPECT_FALSE(got.empty());
        co_await ending;
    }());
}

/// A stream whose writes do not tell how far they have come.
class secretive_stream {
public:
    explicit secretive_stream(duplex_stream below) noexcept : below_(std::move(below)) {}
    auto read(std::span<std::byte> out) noexcept { return below_.read(out); }
    task<std::size_t> write(std::span<const std::byte> bytes) { co_return co_await below_.write(bytes); }
    task<std::size_t> write_all(std::span<const std::byte> bytes) {
        co_return co_await below_.write_all(bytes);
    }
    task<std::size_t> write_all(std::span<const_buffer> buffers) {
        co_return co_await below_.write_all(buffers);
    }
    auto shutdown() noexcept { return below_.shutdown(); }
    void close() noexcept { below_.close(); }

private:
    duplex_stream below_;
};

TEST(a_dropped_tls_write, ends_the_connection_where_its_outcome_is_unknown) {
    test::run_bounded([]() -> task<> {
        auto [here, there] = duplex(3000);
        auto ends =
            co_await test::secured(secretive_stream(std::move(here)), secretive_stream(std::move(there)),
                                   server_context(), client_context());
        auto dropped = spawn(test::write_text(ends.client, std::string(100'000, 'a')));
        co_await test::turns(3);
        dropped.cancel();
        EXPECT_EQ(co_await test::error_of(test::write_text(ends.client, "x")),
                  stream_error::write_was_dropped);
        EXPECT_EQ(co_await test::error_of(ends.client.shutdown()), stream_error::write_was_dropped);
    }());
}

}  // namespace
}  // namespace eddy::tls_connection_test
