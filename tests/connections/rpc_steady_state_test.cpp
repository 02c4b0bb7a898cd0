#include "support/allocation_counter.hpp"
#include "support/run_bounded.hpp"

#include <eddy/core/async_generator.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/detail/build.hpp>
#include <eddy/http/server.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/rpc.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::rpc_steady_state_test {

/// A message that has no memory of its own.
struct block {
    std::array<std::byte, 100> bytes{};
};

}  // namespace eddy::rpc_steady_state_test

template <>
struct eddy::rpc::codec<eddy::rpc_steady_state_test::block> {
    static std::string_view default_subtype() noexcept { return "proto"; }
    static bool knows(std::string_view subtype) noexcept { return subtype == "proto"; }
    static void encode(const eddy::rpc_steady_state_test::block& message, std::string_view,
                       std::string& out) {
        out += as_text(message.bytes);
    }
    static void decode(std::span<const std::byte> bytes, std::string_view,
                       eddy::rpc_steady_state_test::block& message) {
        std::copy_n(bytes.begin(), std::min(bytes.size(), message.bytes.size()), message.bytes.begin());
    }
};

// What a call costs once there have been some: no memory but that of its messages.
namespace eddy::rpc_steady_state_test {
namespace {

using rpc::call_options;
using rpc::channel;

task<std::uint64_t> allocated_by_calls(const channel& to, int count, call_options options) {
    const std::uint64_t before = eddy::test::allocations();
    for (int made = 0; made < count; ++made) {
        block sent;
        sent.bytes[0] = std::byte(made);
        const block reply = co_await rpc::call<block>(to, "/test.Greeter/Echo", sent, options);
        EXPECT_EQ(reply.bytes, sent.bytes);
    }
    co_return eddy::test::allocations() - before;
}

task<std::uint64_t> allocated_by_messages(async_generator<block>& messages, int count) {
    const std::uint64_t before = eddy::test::allocations();
    for (int seen = 0; seen < count; ++seen)
        EXPECT_TRUE(co_await messages.next());
    co_return eddy::test::allocations() - before;
}

async_generator<block> repeated(rpc::server_call&, block sent) {
    for (;;)
        co_yield block(sent);
}

/// What `measured` has counted, which makes calls to a service with an echo and a stream without an end.
std::uint64_t allocated_with_service(task<std::uint64_t> (*measured)(const channel& to, call_options options),
                                     call_options options) {
    std::uint64_t allocated = 0;
    eddy::test::run_bounded([](std::uint64_t& counted, auto measures, call_options chosen) -> task<> {
        rpc::service greeter("test.Greeter");
        greeter.add_unary<block, block>("Echo",
                                        [](rpc::server_call&, block sent) -> task<block> { co_return sent; });
        greeter.add_server_streaming<block, block>("Repeat", repeated);
        rpc::services calls;
        calls.add(greeter);
        // Sockets, as a pipe in memory allocates for what it lends.
        tcp_listener listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        const channel to("http://" + listener.local_endpoint().to_string());
        const handle<> serving =
            spawn(http::serve(std::move(listener), calls, http::server_options().protocol(rpc::http2())));
        counted = co_await measures(to, std::move(chosen));
    }(allocated, measured, std::move(options)));
    return allocated;
}

task<std::uint64_t> by_100_calls(const channel& to, call_options options) {
    static_cast<void>(co_await allocated_by_calls(to, 300, options));
    co_return co_await allocated_by_calls(to, 100, options);
}

task<std::uint64_t> by_10000_messages(const channel& to, call_options options) {
    auto messages = rpc::call_streaming<block>(to, "/test.Greeter/Repeat", block(), std::move(options));
    static_cast<void>(co_await allocated_by_messages(messages, 10'000));
    co_return co_await allocated_by_messages(messages, 10'000);
}

TEST(rpc_steady_state, a_call_allocates_nothing_on_either_side) {
#if EDDY_SANITIZED
    GTEST_SKIP() << "[sanitizer] frames of coroutines are allocated anew each time under sanitizers";
#endif
    EXPECT_EQ(0U, allocated_with_service(by_100_calls, {}));
}

TEST(rpc_steady_state, a_call_with_a_deadline_allocates_nothing_on_either_side) {
#if EDDY_SANITIZED
    GTEST_SKIP() << "[sanitizer] frames of coroutines are allocated anew each time under sanitizers";
#endif
    EXPECT_EQ(0U, allocated_with_service(by_100_calls, call_options().timeout(std::chrono::hours(1))));
}

TEST(rpc_steady_state, a_message_of_a_stream_allocates_nothing_on_either_side) {
#if EDDY_SANITIZED
    GTEST_SKIP() << "[sanitizer] frames of coroutines are allocated anew each time under sanitizers";
#endif
    EXPECT_EQ(0U, allocated_with_service(by_10000_messages, {}));
}

}  // namespace
}  // namespace eddy::rpc_steady_state_test
