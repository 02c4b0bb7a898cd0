#include "http2/frame_peer.hpp"
#include "http2/frames.hpp"
#include "support/allocation_counter.hpp"
#include "support/run_bounded.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/detail/build.hpp>
#include <eddy/detail/cached_memory.hpp>
#include <eddy/http/http2.hpp>
#include <eddy/http/server/exchange.hpp>
#include <eddy/http/server/server.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/runtime/detail/cache_trimmer.hpp>
#include <eddy/runtime/detail/worker_core.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/stream/duplex.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <malloc.h>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What a stream costs once there have been some: no memory, of ours or of nghttp2.
namespace eddy::http::test::steady_state_test {
namespace {

class short_handler final : public request_handler {
public:
    explicit short_handler(bool waits) noexcept : waits_(waits) {}
    ready_or_task<> handle(exchange& ex) override {
        if (!waits_)
            return ex.respond(status::ok, {}, "13 bytes long");
        return later(ex);
    }

private:
    static task<> later(exchange& ex) {
        co_await sleep_for(std::chrono::microseconds(1));
        co_await ex.respond(status::ok, {}, "13 bytes long");
    }

    bool waits_;
};

/// Sends requests of which a batch is prepared, and counts the ends of streams.
task<> measure(duplex_stream& client, std::uint64_t& allocated) {
    constexpr int batches = 60;
    constexpr int batch = 20;
    std::vector<std::string> prepared;
    for (int count = 0; count < batches; ++count) {
        std::string text;
        for (int each = 0; each < batch; ++each)
            text += request_frame(2 * (count * batch + each) + 1, get("/"));
        prepared.push_back(std::move(text));
    }
    const std::string begin = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + text_of({type_settings, 0, 0, ""});
    const std::string credit = text_of({8, 0, 0, number(13 * batch, 4)});
    co_await client.write_all(as_bytes(begin));
    std::array<std::byte, 65'536> room;
    std::size_t held = 0;
    int ended = 0;
    std::uint64_t before = 0;
    for (int count = 0; count < batches; ++count) {
        if (count == batches / 2)
            before = eddy::test::allocations();
        co_await client.write_all(as_bytes(prepared[static_cast<std::size_t>(count)]));
        co_await client.write_all(as_bytes(credit));
        while (ended < (count + 1) * batch) {
            const std::size_t more = co_await client.read(std::span(room).subspan(held));
            held += more;
            std::string_view left = as_text(std::span<const std::byte>(room).first(held));
            while (left.size() >= frame_head_bytes && left.size() >= frame_head_bytes + size_in(left)) {
                const bool ends = (static_cast<std::uint8_t>(left[4]) & flag_end_stream) != 0;
                ended += left[3] == static_cast<char>(type_data) && ends ? 1 : 0;
                left.remove_prefix(frame_head_bytes + size_in(left));
            }
            std::copy(left.begin(), left.end(), reinterpret_cast<char*>(room.data()));
            held = left.size();
        }
    }
    allocated = eddy::test::allocations() - before;
    client.close();
}

std::uint64_t allocated_by_600_streams(bool waits) {
    short_handler handler(waits);
    std::uint64_t allocated = 0;
    auto talk = [&]() -> task<> {
        auto [client, served] = duplex(65'536);
        auto serving =
            serve_connection(any_stream(std::move(served)), handler, server_options().protocol(http2()));
        co_await when_all(std::move(serving), measure(client, allocated));
    };
    eddy::test::run_bounded(talk());
    return allocated;
}

// The pipe lends no buffers, so each of the 30 batches is read into memory that is allocated for it.
constexpr std::uint64_t for_reads = 30;
// A connection fills another block while one is sent, perhaps for the first time.
constexpr std::uint64_t for_a_block = 1;

TEST(http2_steady_state, allocates_nothing_for_a_stream) {
#if EDDY_SANITIZED
    GTEST_SKIP() << "[sanitizer] frames of coroutines are allocated anew each time under sanitizers";
#endif
    EXPECT_EQ(for_reads, allocated_by_600_streams(false));
}

TEST(http2_steady_state, allocates_nothing_for_a_stream_whose_handler_waits) {
#if EDDY_SANITIZED
    GTEST_SKIP() << "[sanitizer] frames of coroutines are allocated anew each time under sanitizers";
#endif
    EXPECT_LE(allocated_by_600_streams(true), for_reads + for_a_block);
}

#if !EDDY_SANITIZED
// As if much time had gone by.
std::size_t heap_bytes_at_rest() {
    eddy::detail::cache_trimmer& spare = eddy::detail::worker_core::current().spare();
    while (eddy::detail::trim_request::is_given())
        spare.look_if_due(spare.next_look());
    return ::mallinfo2().uordblks;
}

// The streams wait for credit, not for handlers, whose frames are trimmed as well and would be a reason to look.
TEST(http2_after_a_burst, has_given_back_what_its_streams_needed) {
    constexpr std::int32_t streams = 90;
    http2_talk([](exchange& ex) -> ready_or_task<> {
        return ex.respond(status::ok, {}, "waited");
    }).runs([&](frame_peer& peer) -> task<void> {
        const auto window = [](std::uint32_t bytes) {
            return text_of(
                {type_settings, 0, 0, frame_peer::entry(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, bytes)});
        };
        co_await peer.begin();
        EXPECT_EQ("waited", (co_await peer.request(1, get("/"))).body);
        const std::size_t before = heap_bytes_at_rest();
        std::string asked = window(0);
        for (std::int32_t at = 0; at < streams; ++at)
            asked += frame_peer::head(3 + 2 * at, get("/"));
        co_await peer.say(std::move(asked));
        const std::int32_t last = 1 + 2 * streams;
        EXPECT_TRUE(co_await peer.until([&] { return !peer.seen[last].head.empty(); }));
        // While all are in use there is nothing to give back.
        EXPECT_GT(heap_bytes_at_rest(), before + 100'000);
        co_await peer.say(window(65'535));
        for (std::int32_t at = 0; at < streams; ++at) {
            EXPECT_TRUE(co_await peer.until_over(3 + 2 * at));
            EXPECT_EQ("waited", peer.seen[3 + 2 * at].body);
        }
        peer.seen.clear();
        EXPECT_LT(heap_bytes_at_rest(), before + 50'000);
    });
}
#endif

}  // namespace
}  // namespace eddy::http::test::steady_state_test
