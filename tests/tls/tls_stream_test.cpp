#include "support/numbered_bytes.hpp"
#include "support/run_bounded.hpp"
#include "support/stream_pair.hpp"
#include "support/turns.hpp"
#include "tls/tls_pair.hpp"

#include <eddy/core/clock.hpp>
#include <eddy/runtime/worker.hpp>
#include <eddy/stream/any_stream.hpp>
#include <eddy/tls/tls_error.hpp>
#include <eddy/tls/tls_stream.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::tls_stream_test {
namespace {

using namespace std::chrono_literals;
using test::read_text;
using test::run_bounded;
using test::secured_pipe;
using test::write_text;

static_assert(byte_stream<tls_stream<duplex_stream>>);
static_assert(leasing_source<tls_stream<tcp_stream>>);
static_assert(vectored_sink<tls_stream<any_stream>>);

TEST(a_tls_stream, carries_bytes_both_ways) {
    run_bounded([]() -> task<> {
        auto ends = co_await secured_pipe();
        co_await write_text(ends.client, "question");
        EXPECT_EQ(co_await read_text(ends.server), "question");
        co_await write_text(ends.server, "answer");
        EXPECT_EQ(co_await read_text(ends.client), "answer");
    }());
}

TEST(a_tls_stream, ends_when_the_peer_says_so) {
    run_bounded([]() -> task<> {
        auto ends = co_await secured_pipe();
        co_await write_text(ends.client, "last");
        co_await ends.client.shutdown();
        EXPECT_EQ(co_await test::read_whole(ends.server), "last");
        co_await write_text(ends.server, "late");
        co_await ends.server.shutdown();
        EXPECT_EQ(co_await test::read_whole(ends.client), "late");
    }());
}

TEST(a_tls_stream, works_over_sockets) {
    run_bounded([]() -> task<> {
        auto below = co_await test::connected_streams();
        auto ends =
            co_await test::secured(std::move(below.server), std::move(below.client),
                                   tls_context(test::server_options()), tls_context(test::client_options()));
        co_await write_text(ends.client, "question");
        EXPECT_EQ(co_await read_text(ends.server), "question");
        co_await write_text(ends.server, "answer");
        EXPECT_EQ(co_await read_text(ends.client), "answer");
    }());
}

// -- much and little at once --

task<> write_numbered(tls_stream<duplex_stream>& to, std::size_t size, std::size_t piece_size) {
    std::vector<std::byte> piece(piece_size);
    for (std::size_t at = 0; at < size; at += piece.size()) {
        piece.resize(std::min(piece_size, size - at));
        test::fill_numbered(piece, at);
        co_await to.write_all(piece);
    }
    co_await to.shutdown();
}

task<std::size_t> count_numbered(tls_stream<duplex_stream>& from, std::size_t piece_size) {
    std::vector<std::byte> piece(piece_size);
    std::size_t count = 0;
    for (;;) {
        const std::size_t more = co_await from.read(piece);
        if (more == 0)
            co_return count;
        const std::size_t right = test::count_numbered(std::span(piece).first(more), count);
        EXPECT_EQ(right, more) << "at " << count;
        count += right;
    }
}

/// Sends both ways at the same time, through a pipe of so many bytes.
task<> exchange_much(std::size_t size, std::size_t written, std::size_t read, std::size_t capacity) {
    auto ends = co_await secured_pipe(tls_context(test::server_options()),
                                      tls_context(test::client_options()), capacity);
    auto all =
        when_all(write_numbered(ends.server, size, written), write_numbered(ends.client, size, written),
                 count_numbered(ends.server, read), count_numbered(ends.client, read));
    const auto [nothing, none, there, back] = co_await std::move(all);
    EXPECT_EQ(there, size);
    EXPECT_EQ(back, size);
}

TEST(a_tls_stream, carries_much_both_ways_at_once) {
    run_bounded(exchange_much(std::size_t{16} << 20, 1 << 20, 70'000, 100'000));
    run_bounded(exchange_much(1'000'000, 16'384, 16'384, 65'536));
    run_bounded(exchange_much(20'000, 1, 1000, 65'536));
}

TEST(a_tls_stream, works_where_bytes_come_one_by_one) {
    run_bounded(exchange_much(40'000, 7001, 1, 1));
    run_bounded(exchange_much(40'000, 333, 100, 3));
}

TEST(a_tls_stream, lends_what_has_come) {
    run_bounded([]() -> task<> {
        auto ends = co_await secured_pipe();
        const std::string sent(50'000, 'x');
        auto writing = spawn(write_text(ends.client, sent));
        std::string got;
        while (got.size() < sent.size()) {
            const buffer_lease lease = co_await ends.server.read_leased();
            EXPECT_FALSE(lease.empty());
            got += as_text(lease.bytes());
        }
        EXPECT_EQ(got, sent);
        co_await writing;
        co_await ends.client.shutdown();
        const buffer_lease last = co_await ends.server.read_leased();
        EXPECT_TRUE(last.empty());
    }());
}

/// The sizes of the records that a stream sends for one write.
task<std::vector<std::size_t>> records_of(std::span<const_buffer> buffers) {
    auto [here, there] = duplex(1 << 20);
    tls_client_options old = test::client_options().version_max(tls_version::tls_1_2);
    auto ends = co_await test::secured(std::move(here), std::move(there), tls_context(test::server_options()),
                                       tls_context(old));
    co_await ends.client.write_all(buffers);
    std::vector<std::byte> sent(1 << 20);
    const std::size_t count = co_await ends.server.below().read(sent);
    std::vector<std::size_t> sizes;
    for (std::size_t at = 0; at + 5 <= count;) {
        const auto size =
            std::to_integer<std::size_t>(sent[at + 3]) * 256 + std::to_integer<std::size_t>(sent[at + 4]);
        // Nonce and tag of AES-GCM in TLS 1.2 (RFC 5288).
        sizes.push_back(size - 24);
        at += 5 + size;
    }
    co_return sizes;
}

TEST(a_tls_stream, gathers_buffers_into_records) {
    run_bounded([]() -> task<> {
        std::vector<const_buffer> parts;
        for (const std::string_view part : {"head", "", "body", "", "end"})
            parts.emplace_back(part);
        const std::vector<std::size_t> sizes = co_await records_of(parts);
        EXPECT_EQ(sizes.size(), 1U);
        EXPECT_EQ(sizes.front(), 11U);
    }());
}

TEST(a_tls_stream, begins_with_small_records) {
    run_bounded([]() -> task<> {
        const std::string head(100, 'h');
        const std::string body(60'000, 'b');
        std::array<const_buffer, 2> parts{const_buffer(std::string_view(head)),
                                          const_buffer(std::string_view(body))};
        const std::vector<std::size_t> sizes = co_await records_of(parts);
        EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}), 60'100U);
        EXPECT_EQ(sizes.size(), 10U + 3U);
        EXPECT_LT(sizes.front(), 1400U);
        EXPECT_EQ(sizes[10], 16'384U);
    }());
}

TEST(a_tls_stream, takes_empty_writes) {
    run_bounded([]() -> task<> {
        auto ends = co_await secured_pipe();
        EXPECT_EQ(co_await ends.client.write_all(std::span<const std::byte>()), 0U);
        EXPECT_EQ(co_await ends.client.write_all(std::span<const_buffer>()), 0U);
        co_await write_text(ends.client, "x");
        EXPECT_EQ(co_await read_text(ends.server), "x");
    }());
}

TEST(a_tls_stream, fits_into_any_stream) {
    run_bounded([]() -> task<> {
        auto [here, there] = duplex(65'536);
        auto ends =
            co_await test::secured(any_stream(std::move(here)), any_stream(std::move(there)),
                                   tls_context(test::server_options()), tls_context(test::client_options()));
        any_stream outer(std::move(ends.server));
        co_await write_text(ends.client, "through both");
        EXPECT_EQ(co_await read_text(outer), "through both");
        co_await write_text(outer, "and back");
        EXPECT_EQ(co_await read_text(ends.client), "and back");
    }());
}

TEST(a_tls_stream, works_over_another) {
    run_bounded([]() -> task<> {
        auto outer = co_await secured_pipe();
        auto ends =
            co_await test::secured(std::move(outer.server), std::move(outer.client),
                                   tls_context(test::server_options()), tls_context(test::client_options()));
        co_await write_text(ends.client, "twice");
        EXPECT_EQ(co_await read_text(ends.server), "twice");
    }());
}

// -- without waiting --

/// Both ends over sockets, of which the server's sends little at once.
task<test::tls_pair<tcp_stream>> narrow_pair() {
    auto below = co_await test::connected_streams();
    below.server.set_option(io::socket_option::send_buffer_bytes, 16 * 1024);
    below.client.set_option(io::socket_option::receive_buffer_bytes, 16 * 1024);
    co_return co_await test::secured(std::move(below.server), std::move(below.client),
                                     tls_context(test::server_options()),
                                     tls_context(test::client_options()));
}

TEST(a_tls_stream, writes_what_goes_at_once) {
    run_bounded([]() -> task<> {
        auto ends = co_await narrow_pair();
        any_stream server(std::move(ends.server));
        const const_buffer parts[] = {const_buffer("abc", 3), const_buffer("def", 3)};
        EXPECT_EQ(server.try_write(parts), 6U);
        EXPECT_EQ(co_await read_text(ends.client), "abcdef");
        any_stream over_memory((co_await secured_pipe()).server);
        EXPECT_EQ(over_memory.try_write(parts), 0U);
    }());
}

TEST(a_tls_stream, sends_beside_what_did_not_go_at_once) {
    run_bounded([]() -> task<> {
        auto ends = co_await narrow_pair();
        const std::string much(200'000, 'a');
        const const_buffer tried{std::string_view(much)};
        std::size_t taken = 0;
        while (const std::size_t more = ends.server.try_write({&tried, 1}))
            taken += more;
        EXPECT_GE(taken, 65'536U);
        std::string got;
        while (got.size() < taken)
            got += co_await read_text(ends.client);
        EXPECT_EQ(got, std::string(taken, 'a'));
        co_await write_text(ends.server, "rest");
        EXPECT_EQ(co_await read_text(ends.client), "rest");
    }());
}

TEST(a_tls_write_that_is_late, waits_no_longer_for_what_is_sent_beside) {
    run_bounded([]() -> task<> {
        auto ends = co_await narrow_pair();
        const std::string much(65'536, 'a');
        const const_buffer tried{std::string_view(much)};
        std::size_t taken = 0;
        while (const std::size_t more = ends.server.try_write({&tried, 1}))
            taken += more;
        // The task beside sends, and the client does not read.
        co_await test::turns(10);
        const auto late = co_await ends.server.write_until(as_bytes("late"), clock::now() + 5ms);
        EXPECT_EQ(late.error(), std::errc::timed_out);
        auto ending = spawn(ends.server.shutdown());
        EXPECT_EQ((co_await test::read_whole(ends.client)).size(), taken);
        co_await ending;
    }());
}

// -- deadlines --

TEST(a_tls_stream, reads_and_writes_until_a_deadline) {
    run_bounded([]() -> task<> {
        auto [here, there] = duplex(10'000);
        auto ends =
            co_await test::secured(any_stream(std::move(here)), any_stream(std::move(there)),
                                   tls_context(test::server_options()), tls_context(test::client_options()));
        any_stream server(std::move(ends.server));
        const auto late = co_await server.read_leased_until(clock::now() + 5ms);
        EXPECT_EQ(late.error(), std::errc::timed_out);
        co_await write_text(ends.client, "question");
        const auto question = co_await server.read_leased_until(clock::now() + 60s);
        EXPECT_EQ(as_text(question.value().bytes()), "question");
        const auto written = co_await server.write_until(as_bytes("answer"), clock::now() + 60s);
        EXPECT_EQ(written.value(), 6U);
        EXPECT_EQ(co_await read_text(ends.client), "answer");
    }());
}

TEST(a_tls_write_that_is_late, is_gone_on_with_by_the_next) {
    run_bounded([]() -> task<> {
        auto ends = co_await secured_pipe(tls_context(test::server_options()),
                                          tls_context(test::client_options()), 5000);
        const std::string much(20'000, 'a');
        const auto late = co_await ends.server.write_until(as_bytes(much), clock::now() + 5ms);
        EXPECT_EQ(late.error(), std::errc::timed_out);
        auto rest = spawn([](tls_stream<duplex_stream>& to) -> task<> {
            co_await write_text(to, "rest");
            co_await to.shutdown();
        }(ends.server));
        EXPECT_EQ(co_await test::read_whole(ends.client), much + "rest");
        co_await rest;
    }());
}

// -- ends --

TEST(a_tls_stream, tells_a_cut_from_an_end) {
    run_bounded([]() -> task<> {
        for (const tls_version version : {tls_version::tls_1_2, tls_version::tls_1_3}) {
            auto ends = co_await secured_pipe(tls_context(test::server_options().version_max(version)));
            co_await write_text(ends.client, "before the cut");
            ends.client.close();
            EXPECT_EQ(co_await read_text(ends.server), "before the cut");
            EXPECT_EQ(co_await test::error_of(read_text(ends.server)), tls_error::truncated);
            EXPECT_EQ(co_await test::error_of(read_text(ends.server)), tls_error::truncated);
        }
    }());
}

// RFC 8446 section 6.1: the end of one direction has no effect on the other.
TEST(a_tls_stream, is_written_to_after_what_it_reads_was_cut) {
    run_bounded([]() -> task<> {
        for (const tls_version version : {tls_version::tls_1_2, tls_version::tls_1_3}) {
            auto ends = co_await secured_pipe(tls_context(test::server_options().version_max(version)));
            co_await write_text(ends.client, "question");
            co_await ends.client.below().shutdown();  // the end of TCP without that of TLS
            EXPECT_EQ(co_await read_text(ends.server), "question");
            EXPECT_EQ(co_await test::error_of(read_text(ends.server)), tls_error::truncated);
            co_await write_text(ends.server, "response");
            EXPECT_EQ(co_await read_text(ends.client), "response");
            EXPECT_EQ(co_await test::error_of(read_text(ends.server)), tls_error::truncated);
            co_await ends.server.shutdown();
            EXPECT_EQ(co_await read_text(ends.client), "");
        }
    }());
}

TEST(a_tls_stream, tells_a_cut_in_the_middle_of_a_record) {
    run_bounded([]() -> task<> {
        auto ends = co_await secured_pipe();
        // The beginning of a record of 256 bytes.
        const std::array<std::byte, 6> begun{std::byte{23}, std::byte{3}, std::byte{3},
                                             std::byte{1},  std::byte{0}, std::byte{42}};
        co_await ends.client.below().write_all(begun);
        ends.client.close();
        EXPECT_EQ(co_await test::error_of(read_text(ends.server)), tls_error::truncated);
    }());
}

TEST(a_tls_stream, refuses_what_was_forged_and_tells_the_peer) {
    run_bounded([]() -> task<> {
        auto ends = co_await secured_pipe();
        std::array<std::byte, 40> forged{std::byte{23}, std::byte{3}, std::byte{3}, std::byte{0},
                                         std::byte{35}};
        co_await ends.client.below().write_all(forged);
        EXPECT_EQ(co_await test::error_of(read_text(ends.server)), tls_error::protocol_violated);
        EXPECT_EQ(co_await test::error_of(write_text(ends.server, "x")), tls_error::protocol_violated);
        EXPECT_EQ(co_await test::error_of(ends.server.shutdown()), tls_error::protocol_violated);
        EXPECT_EQ(co_await test::error_of(read_text(ends.client)), tls_error::alert_received);
    }());
}

TEST(a_tls_stream, cannot_write_after_its_shutdown) {
    run_bounded([]() -> task<> {
        auto ends = co_await secured_pipe();
        co_await ends.client.shutdown();
        EXPECT_TRUE(co_await test::error_of(write_text(ends.client, "x")));
    }());
}

// -- handshakes that fail --

TEST(a_tls_handshake, refuses_what_is_not_tls) {
    run_bounded([]() -> task<> {
        for (const std::string_view said :
             {"GET / HTTP/1.1\r\n\r\n", "\x80\x2e\x01", "\x16\x03\x01\xff\xff\x01", "SSH-2.0-OpenSSH_9.2\r\n",
              "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}) {
            auto [here, there] = duplex(1000);
            co_await there.write_all(as_bytes(said));
            co_await there.shutdown();
            auto accepting = tls_accept(std::move(here), tls_context(test::server_options()));
            const std::error_code met = co_await test::error_of(std::move(accepting));
            EXPECT_TRUE(met == tls_error::protocol_violated || met == tls_error::truncated ||
                        met == tls_error::handshake_failed)
                << said << ": " << met.message();
        }
    }());
}

TEST(a_tls_handshake, says_that_the_peer_has_gone) {
    run_bounded([]() -> task<> {
        auto [here, there] = duplex(1000);
        there.close();
        auto accepting = tls_accept(std::move(here), tls_context(test::server_options()));
        EXPECT_EQ(co_await test::error_of(std::move(accepting)), tls_error::truncated);
        auto [one, other] = duplex(1000);
        co_await other.shutdown();
        auto connecting =
            tls_connect(std::move(one), tls_context(test::client_options()), tls_target("localhost"));
        EXPECT_EQ(co_await test::error_of(std::move(connecting)), tls_error::truncated);
    }());
}

TEST(a_tls_handshake, takes_no_longer_than_it_may) {
    run_bounded([]() -> task<> {
        auto [here, there] = duplex(1000);
        auto accepting =
            tls_accept(std::move(here), tls_context(test::server_options().handshake_time_max(20ms)));
        EXPECT_EQ(co_await test::error_of(std::move(accepting)), std::errc::timed_out);
        std::array<std::byte, 1> none;
        EXPECT_EQ(co_await there.read(none), 0U) << "the stream is closed";
        auto [one, other] = duplex(1000);
        auto connecting =
            tls_connect(std::move(one), tls_context(test::client_options().handshake_time_max(20ms)),
                        tls_target("localhost"));
        EXPECT_EQ(co_await test::error_of(std::move(connecting)), std::errc::timed_out);
    }());
}

TEST(a_tls_handshake, may_be_computed_on_the_offload_pool) {
    run_bounded([]() -> task<> {
        auto ends = co_await secured_pipe(tls_context(test::server_options().offload_handshakes(true)),
                                          tls_context(test::client_options().offload_handshakes(true)));
        co_await write_text(ends.client, "question");
        EXPECT_EQ(co_await read_text(ends.server), "question");
        co_await write_text(ends.server, "answer");
        EXPECT_EQ(co_await read_text(ends.client), "answer");
    }());
}

// Each step takes about a millisecond: several in one turn would keep other connections waiting for all of
// them.
TEST(handshakes_on_a_worker, take_one_turn_for_each_step) {
    run_bounded([]() -> task<> {
        constexpr std::uint64_t count = 8;
        const tls_context server(test::server_options());
        const tls_context client(test::client_options().sessions_max(0));
        const std::uint64_t before = worker::current().metrics().turns;
        std::vector<handle<test::tls_pair<duplex_stream>>> under_way;
        for (std::uint64_t made = 0; made < count; ++made)
            under_way.push_back(spawn(secured_pipe(server, client)));
        for (auto& each : under_way)
            co_await each;
        // Two of each client and two of each server; the first and the last may be in turns of the test's
        // own.
        EXPECT_GE(worker::current().metrics().turns - before, 4 * count - 1);
    }());
}

TEST(a_tls_handshake, leaves_what_came_behind_it_to_be_read) {
    run_bounded([]() -> task<> {
        for (const bool is_on_pool : {false, true}) {
            auto [here, there] = duplex(65'536);
            auto connecting = spawn([](duplex_stream to) -> task<> {
                auto client = co_await tls_connect(std::move(to), tls_context(test::client_options()),
                                                   tls_target("localhost"));
                co_await write_text(client, "at once");
                co_await client.shutdown();
            }(std::move(there)));
            auto server = co_await tls_accept(
                std::move(here), tls_context(test::server_options().offload_handshakes(is_on_pool)));
            co_await connecting;
            EXPECT_EQ(co_await test::read_whole(server), "at once");
        }
    }());
}

}  // namespace
}  // namespace eddy::tls_stream_test
