#include "support/run_bounded.hpp"
#include "support/stream_pair.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/net/local_stream.hpp>
#include <eddy/net/socket_pair.hpp>
#include <eddy/net/socket_stream.hpp>
#include <eddy/net/tcp_stream.hpp>

#include <gtest/gtest.h>

#include <array>
#include <span>
#include <utility>

namespace eddy {
namespace {

using io::socket_option;
using test::connected_streams;
using test::run_bounded;

TEST(socket_stream, keeps_the_options_of_tcp) {
    const auto main = []() -> task<> {
        auto pair = co_await connected_streams();
        constexpr std::array<std::pair<socket_option, int>, 6> set{{{socket_option::keep_alive, 1},
                                                                    {socket_option::keep_alive_idle_s, 30},
                                                                    {socket_option::keep_alive_interval_s, 5},
                                                                    {socket_option::keep_alive_probes, 4},
                                                                    {socket_option::user_timeout_ms, 20'000},
                                                                    {socket_option::linger_s, 3}}};
        for (const auto& [option, value] : set) {
            pair.client.set_option(option, value);
            EXPECT_EQ(pair.client.get_option(option), value);
            EXPECT_NE(pair.server.get_option(option), value) << "set on another socket";
        }
        pair.client.set_option(socket_option::linger_s, -1);
        EXPECT_EQ(pair.client.get_option(socket_option::linger_s), -1);
    };
    run_bounded(main());
}

TEST(socket_stream, may_begin_with_data) {
    const auto main = []() -> task<> {
        tcp_listener listener =
            tcp_listener::bind(endpoint::loopback_ipv4(0), listen_options().fast_open_backlog(16));
        tcp_stream client = co_await tcp_stream::connect(listener.local_endpoint());
        tcp_stream server = co_await listener.accept();
        co_await client.write_all(as_bytes("first"));
        std::array<std::byte, 8> memory{};
        const std::size_t size = co_await server.read(memory);
        EXPECT_EQ(as_text(std::span(memory).first(size)), "first");
    };
    run_bounded(main());
}

template <class Stream>
task<> ends_by_halves(Stream& left, Stream& right) {
    co_await left.write_all(as_bytes("question"));
    co_await left.shutdown();
    std::array<std::byte, 16> memory{};
    std::size_t size = co_await right.read(memory);
    EXPECT_EQ(size, 8U);
    size = co_await right.read(memory);
    EXPECT_EQ(size, 0U);
    co_await right.write_all(as_bytes("answer"));
    size = co_await left.read(memory);
    EXPECT_EQ(size, 6U);
    co_await right.shutdown(direction::receiving);
    const auto late = co_await as_result(left.write(as_bytes("x")));
    EXPECT_EQ(late.error(), std::errc::broken_pipe);
}

TEST(socket_stream, ends_by_halves_whatever_it_is_made_of) {
    const auto main = []() -> task<> {
        auto tcp = co_await connected_streams();
        co_await ends_by_halves(tcp.client, tcp.server);
        auto local = socket_pair();
        co_await ends_by_halves(local.first, local.second);
    };
    run_bounded(main());
}

}  // namespace
}  // namespace eddy
